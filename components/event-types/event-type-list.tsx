"use client";

import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { eventTypePagesQuery } from "#client/event-types.ts";
import { eventTypeRefusal } from "#client/refusals.ts";
import type { EventType } from "#contracts/event-types.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./event-type-list.module.css";

/** The page of the tenant's catalogue of event types. */
export function EventTypeList() {
  const { tenantId, isPortal, href, refuse } = useWorkspace();
  const router = useRouter();
  const list = useInfiniteQuery(eventTypePagesQuery(tenantId));
  return (
    <>
      <PageHeader
        title="Event types"
        action={
          !isPortal && (
            <GuardedButton
              size="sm"
              leftSection={<IconPlus size={16} />}
              refusal={eventTypeRefusal(undefined, refuse)}
              saysWhy
              onClick={() => router.push(href("/event-types/-new"))}
            >
              New event type
            </GuardedButton>
          )
        }
      >
        The catalogue that subscribers read. A type with a schema refuses events that do not fit it.
      </PageHeader>
      <ListPage
        list={list}
        nouns={["event type", "event types"]}
        empty={
          <EmptyNote title="No event types">
            Types that are in no catalogue can be published all the same.
          </EmptyNote>
        }
      >
        {(rows, isLoading) => (
          <DataTable
            caption="Event types: the tenant's own, newest first, then the built-in ones."
            columns={COLUMNS}
            rows={rows}
            keyOf={({ name }) => name}
            hrefOf={({ name }) => href(`/event-types/${encodeURIComponent(name)}`)}
            isLoading={isLoading}
          />
        )}
      </ListPage>
    </>
  );
}

const COLUMNS: readonly [Column<EventType>, ...Column<EventType>[]] = [
  { name: "Name", cell: ({ name }) => name },
  {
    name: "Description",
    width: "36%",
    hide: "narrow",
    cell: ({ description }) =>
      description ? (
        <span title={description}>{description}</span>
      ) : (
        <Text span inherit c="dimmed">
          none
        </Text>
      ),
  },
  {
    name: "Schema",
    width: "6rem",
    hide: "narrow",
    cell: ({ schema }) => (schema === null ? <Nothing /> : "checked"),
  },
  { name: "Kind", width: "7.5rem", cell: (type) => <Kind type={type} /> },
  {
    name: "Changed",
    width: "6.75rem",
    align: "right",
    hide: "medium",
    cell: ({ updated_at }) => (updated_at ? <Ago at={updated_at} /> : <Nothing />),
  },
];

const Nothing = () => <span className={classes.aside}>–</span>;

function Kind({ type }: { type: EventType }) {
  if (type.built_in) return <span className={classes.aside}>built in</span>;
  return type.deprecated ? <span className={classes.deprecated}>deprecated</span> : "own";
}
