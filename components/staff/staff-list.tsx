"use client";

import { Drawer } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { roleRefusal } from "#client/role-refusal.ts";
import { holds } from "#client/session.ts";
import { staffListQuery } from "#client/staff.ts";
import { withTenant } from "#client/use-tenant.ts";
import type { StaffMember } from "#contracts/staff.ts";
import { useConsole } from "../console-context.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { RefusedNote } from "../refused-note.tsx";
import { Ago } from "../time.tsx";
import { InviteForm } from "./invite-form.tsx";
import classes from "./staff-list.module.css";
import { StaffMemberPanel } from "./staff-member-panel.tsx";
import { StaffStateMark } from "./staff-state-mark.tsx";

const COLUMNS: readonly [Column<StaffMember>, ...Column<StaffMember>[]] = [
  {
    name: "Who",
    cell: ({ name, email }) => (
      <>
        {name} <span className={classes.email}>{email}</span>
      </>
    ),
  },
  { name: "Role", width: "6rem", cell: ({ role }) => role },
  { name: "State", width: "7rem", cell: ({ state }) => <StaffStateMark state={state} /> },
  { name: "Sessions", width: "6rem", align: "right", hide: "narrow", cell: ({ sessions }) => sessions },
  { name: "Since", width: "7rem", hide: "narrow", cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** In the address in place of an id: the form of an invitation. */
const NEW = "new";

/** The page of those who sign in to the console. */
export function StaffList() {
  const { user } = useConsole();
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  return (
    <>
      <PageHeader
        title="Staff"
        action={
          <GuardedButton
            size="sm"
            leftSection={<IconUserPlus size={16} />}
            refusal={roleRefusal(user.role, "staff:manage", "invite people")}
            onClick={() => void setOpen(NEW)}
          >
            Invite somebody
          </GuardedButton>
        }
      >
        Who signs in to this console, and what each may do.
      </PageHeader>
      {holds(user.role, "staff:manage") ? (
        <ManagedStaff open={open} onOpen={(next) => void setOpen(next)} />
      ) : (
        <RefusedNote role={user.role}>Here they invite people, and give and take roles.</RefusedNote>
      )}
    </>
  );
}

interface ManagedStaffProps {
  /** Whose panel is open: an id, or `NEW` for an invitation. */
  open: string | null;
  onOpen: (open: string | null) => void;
}

function ManagedStaff({ open, onOpen }: ManagedStaffProps) {
  const { tenantId } = useConsole();
  const list = useInfiniteQuery(staffListQuery);
  return (
    <>
      <ListPage
        list={list}
        nouns={["person", "people"]}
        empty={<EmptyNote title="Nobody yet">Invite the first of them.</EmptyNote>}
      >
        {(rows, isLoading) => (
          <DataTable
            caption="Staff, newest first."
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => withTenant(`/staff?open=${id}`, tenantId)}
            labelOf={({ name, email }) => `${name}, ${email}`}
            isLoading={isLoading}
            skeletonRows={4}
          />
        )}
      </ListPage>
      <Drawer
        opened={open !== null}
        onClose={() => onOpen(null)}
        position="right"
        title={open === NEW ? "Invite somebody" : "Member of staff"}
      >
        {open === NEW && <InviteForm />}
        {open !== null && open !== NEW && <StaffMemberPanel key={open} id={open} />}
      </Drawer>
    </>
  );
}
