"use client";

import { useQuery } from "@tanstack/react-query";
import { entryKey } from "#client/audit.ts";
import { tenantsQuery } from "#client/tenants.ts";
import { tenantName } from "#client/use-tenant.ts";
import type { AuditEntry } from "#contracts/audit.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { Ago } from "../time.tsx";
import classes from "./audit-table.module.css";

/** The entries of the log. Each opens beside the list, whose filters the address keeps. */
export function AuditTable({ rows, isLoading }: { rows: readonly AuditEntry[]; isLoading: boolean }) {
  const { data: tenants = [] } = useQuery(tenantsQuery);
  const columns: readonly [Column<AuditEntry>, ...Column<AuditEntry>[]] = [
    { name: "Action", width: "34%", cell: ({ action }) => action },
    { name: "Target", hide: "narrow", cell: ({ target }) => target },
    {
      name: "Who",
      cell: ({ actor, role }) => (
        <>
          {actor} {role !== actor && <span className={classes.role}>{role}</span>}
        </>
      ),
    },
    {
      name: "Tenant",
      width: "9rem",
      hide: "medium",
      cell: ({ tenant_id: id }) =>
        id === null ? <span className={classes.role}>installation</span> : tenantName(tenants, id),
    },
    { name: "When", width: "6.5rem", cell: ({ at }) => <Ago at={at} /> },
  ];
  return (
    <DataTable
      caption="Entries of the audit log, newest first."
      columns={columns}
      rows={rows}
      keyOf={entryKey}
      hrefOf={(row) => addressOf(entryKey(row))}
      labelOf={({ action, target, actor }) => `${action} ${target} by ${actor}`}
      isLoading={isLoading}
    />
  );
}

/** This address with an entry open. */
function addressOf(key: string): string {
  const query = new URLSearchParams(typeof window === "undefined" ? "" : window.location.search);
  query.set("entry", key);
  return `/audit?${query}`;
}
