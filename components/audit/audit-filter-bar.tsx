"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AuditFilters } from "#client/audit.ts";
import { WINDOW_NAMES, WINDOWS } from "#client/delivery-filters.ts";
import { tenantsQuery } from "#client/tenants.ts";
import { type AuditEntry, INSTALLATION_CHAIN } from "#contracts/audit.ts";
import type { Option } from "../pick-list.tsx";
import { PickMenu } from "../pick-menu.tsx";
import classes from "./audit-filter-bar.module.css";

interface AuditFilterBarProps {
  filters: AuditFilters;
  /** What is on screen: its people, actions and targets are offered. */
  rows: readonly AuditEntry[];
  onChange: (some: Partial<AuditFilters>) => void;
  /** `null` when there is nothing to clear. */
  onClear: (() => void) | null;
}

/** Everything that narrows the log. The address holds it all. */
export function AuditFilterBar({ filters, rows, onChange, onClear }: AuditFilterBarProps) {
  const { data: tenants = [] } = useQuery(tenantsQuery);
  const chains = [
    option(INSTALLATION_CHAIN, "The installation"),
    ...tenants.map(({ id, name }) => option(id, name)),
  ];
  const pick = (label: string, name: keyof AuditFilters, options: readonly Option[], freeText = false) => (
    <PickMenu
      label={label}
      options={options}
      picked={filters[name] === null ? [] : [filters[name]]}
      onPick={([picked]) => onChange({ [name]: picked ?? null })}
      single
      searchable={freeText}
      freeText={freeText}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to the type definitions of all engines.
    <div className={classes.bar} role="search" aria-label="Filter the audit log">
      {pick(
        "Who",
        "actor",
        seen(rows, ({ actor }) => [actor]),
        true,
      )}
      {pick(
        "Action",
        "action",
        seen(rows, ({ action }) => [group(action), action]),
        true,
      )}
      {pick(
        "Target",
        "target",
        seen(rows, ({ target }) => [target]),
        true,
      )}
      {pick("Tenant", "chain", chains)}
      {pick(
        "Time",
        "window",
        WINDOW_NAMES.map((name) => option(name, WINDOWS[name].label)),
      )}
      {onClear && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}

const option = (value: string, text: string): Option => ({ value, label: text, text });

/** What comes before the dot of an action: all of its kind. */
const group = (action: string) => action.split(".")[0] ?? action;

function seen(rows: readonly AuditEntry[], of: (row: AuditEntry) => string[]): Option[] {
  return [...new Set(rows.flatMap(of))].sort().map((text) => option(text, text));
}
