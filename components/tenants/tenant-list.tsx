"use client";

import { Drawer } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { tenantListQuery } from "#client/manage-tenants.ts";
import { holds } from "#client/session.ts";
import { rateWords } from "#client/tenant-form.ts";
import { withTenant } from "#client/use-tenant.ts";
import type { Tenant } from "#contracts/tenants.ts";
import { useConsole } from "../console-context.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { Ago } from "../time.tsx";
import { TenantEditor } from "./tenant-editor.tsx";

const COLUMNS: readonly [Column<Tenant>, ...Column<Tenant>[]] = [
  { name: "Name", cell: ({ name }) => name },
  {
    name: "Keeps events",
    width: "9rem",
    hide: "narrow",
    cell: ({ retention_days: days }) => (days === null ? "default" : `${days} days`),
  },
  { name: "Requests", width: "8rem", hide: "narrow", cell: ({ request_rate }) => rateWords(request_rate) },
  { name: "Events", width: "8rem", hide: "narrow", cell: ({ event_rate }) => rateWords(event_rate) },
  { name: "Made", width: "7rem", cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** In the address in place of an id: the form for another one. */
const NEW = "new";

/** The page of all tenants. */
export function TenantList() {
  const { user, tenantId } = useConsole();
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const list = useInfiniteQuery(tenantListQuery);
  const refusal = holds(user.role, "tenants:write")
    ? null
    : `Only admins make and change tenants; your role is ${user.role}.`;
  return (
    <>
      <PageHeader
        title="Tenants"
        action={
          <GuardedButton
            saysWhy
            size="sm"
            leftSection={<IconPlus size={16} />}
            refusal={refusal}
            onClick={() => void setOpen(NEW)}
          >
            New tenant
          </GuardedButton>
        }
      >
        Each has its own events, endpoints and keys, which no other ever sees.
      </PageHeader>
      <ListPage
        list={list}
        nouns={["tenant", "tenants"]}
        empty={<EmptyNote title="No tenant yet">Make the first one: everything belongs to one.</EmptyNote>}
      >
        {(rows, isLoading) => (
          <DataTable
            caption="Tenants, newest first."
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => withTenant(`/tenants?open=${id}`, tenantId)}
            isLoading={isLoading}
          />
        )}
      </ListPage>
      <Drawer
        opened={open !== null}
        onClose={() => void setOpen(null)}
        position="right"
        title={open === NEW ? "New tenant" : "Tenant"}
      >
        {open !== null && (
          <TenantEditor
            key={open}
            id={open === NEW ? null : open}
            refusal={refusal}
            onDone={(id) => void setOpen(id, { history: "replace" })}
          />
        )}
      </Drawer>
    </>
  );
}
