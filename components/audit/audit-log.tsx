"use client";

import { Drawer } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { auditParsers, auditQuery, entryKey, NO_AUDIT_FILTERS } from "#client/audit.ts";
import { holds } from "#client/session.ts";
import type { AuditEntry } from "#contracts/audit.ts";
import { useConsole } from "../console-context.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { RefusedNote } from "../refused-note.tsx";
import { AuditEntryView } from "./audit-entry-view.tsx";
import { AuditFilterBar } from "./audit-filter-bar.tsx";
import { AuditTable } from "./audit-table.tsx";
import { AuditTools } from "./audit-tools.tsx";

/** The page of what was changed, by whom. */
export function AuditLog() {
  const { user } = useConsole();
  return (
    <>
      <PageHeader title="Audit log">
        Every change: who made it, in which role, and what it was before. Entries are only ever added.
      </PageHeader>
      {holds(user.role, "audit:read") ? (
        <Entries />
      ) : (
        <RefusedNote role={user.role}>Here they read who changed what.</RefusedNote>
      )}
    </>
  );
}

function Entries() {
  const [filters, setFilters] = useQueryStates(auditParsers, { history: "push" });
  const [opened, setOpened] = useQueryState("entry", parseAsString.withOptions({ history: "push" }));
  const list = useInfiniteQuery(auditQuery(filters));
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const entry = rows.find((row) => entryKey(row) === opened);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <>
      <AuditFilterBar
        filters={filters}
        rows={rows}
        onChange={(some) => void setFilters(some)}
        onClear={isFiltered ? () => void setFilters(NO_AUDIT_FILTERS) : null}
      />
      <AuditTools filters={filters} />
      <ListPage<AuditEntry>
        list={list}
        nouns={["entry", "entries"]}
        empty={
          <EmptyNote title={isFiltered ? "No entry matches these filters" : "Nothing was changed yet"}>
            {isFiltered
              ? "Widen the filters, or clear them to see all."
              : "The first change that somebody makes is the first entry."}
          </EmptyNote>
        }
      >
        {(shown, isLoading) => <AuditTable rows={shown} isLoading={isLoading} />}
      </ListPage>
      <Drawer
        opened={opened !== null}
        onClose={() => void setOpened(null)}
        position="right"
        size="lg"
        title="Entry of the audit log"
      >
        {entry && <AuditEntryView entry={entry} onFilter={(some) => void setFilters(some)} />}
        {!entry && opened !== null && list.isSuccess && (
          <EmptyNote title="Not on this page">
            This entry is further down, or the filters leave it out. Load more, or clear the filters.
          </EmptyNote>
        )}
      </Drawer>
    </>
  );
}
