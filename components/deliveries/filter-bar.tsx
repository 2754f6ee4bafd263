"use client";

import { Button, Pill } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import {
  AGES,
  type Filters,
  isFiltered,
  WINDOW_NAMES,
  WINDOWS,
  type Window,
} from "#client/delivery-filters.ts";
import { partsOfUrl } from "#client/endpoints.ts";
import { resultLabel } from "#client/result-label.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { BUILT_IN_TYPES } from "#contracts/events.ts";
import type { Option } from "../pick-list.tsx";
import { PickMenu } from "../pick-menu.tsx";
import { DeliveryStatusMark, STATUS } from "../status.tsx";
import classes from "./filter-bar.module.css";
import { SearchBox } from "./search-box.tsx";

interface FilterBarProps {
  filters: Filters;
  endpoints: readonly Endpoint[];
  /** What is on screen: its event types are offered first. */
  rows: readonly Delivery[];
  onChange: (some: Partial<Filters>) => void;
  onClear: () => void;
  /** Stands at the end of the bar. */
  children?: ReactNode;
}

/** Everything that narrows the list. The address holds it all. */
export function FilterBar({ filters, endpoints, rows, onChange, onClear, children }: FilterBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useShortcut("filters", () => bar.current?.querySelector<HTMLElement>('button[role="combobox"]')?.click());
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to the type definitions of all engines.
    <div ref={bar} className={classes.bar} role="search" aria-label="Filter deliveries">
      <SearchBox text={filters.q ?? ""} onFilter={onChange} />
      <PickMenu
        label="Status"
        options={STATUS_OPTIONS}
        picked={filters.status}
        onPick={(status) => onChange({ status: status as DeliveryStatus[] })}
      />
      <PickMenu
        label="Endpoint"
        options={endpoints.map(endpointOption)}
        picked={filters.endpoint ? [filters.endpoint] : []}
        onPick={([endpoint]) => onChange({ endpoint: endpoint ?? null })}
        single
        searchable
      />
      <PickMenu
        label="Event type"
        options={typeOptions(rows)}
        picked={filters.type}
        onPick={(type) => onChange({ type })}
        searchable
        freeText
      />
      <PickMenu
        label="Time"
        options={WINDOW_OPTIONS}
        picked={filters.window ? [filters.window] : []}
        onPick={([window]) => onChange({ window: (window as Window | undefined) ?? null })}
        single
      />
      {filters.event && (
        <FilterPill what="event" text={`Event ${filters.event}`} onRemove={() => onChange({ event: null })} />
      )}
      {filters.older && (
        <FilterPill what="age" text={AGES[filters.older].label} onRemove={() => onChange({ older: null })} />
      )}
      {filters.reason.length > 0 && (
        <FilterPill
          what="reason"
          text={`Reason ${filters.reason.map(resultLabel).join(", ")}`}
          onRemove={() => onChange({ reason: [] })}
        />
      )}
      {isFiltered(filters) && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
      <div className={classes.tools}>{children}</div>
    </div>
  );
}

/** A filter that is set from elsewhere, and can be taken away here. */
function FilterPill({ what, text, onRemove }: { what: string; text: string; onRemove: () => void }) {
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        "aria-label": `Remove the filter by ${what}`,
        tabIndex: 0,
        "aria-hidden": false,
      }}
    >
      {text}
    </Pill>
  );
}

const STATUS_OPTIONS: Option[] = DELIVERY_STATUSES.map((status) => ({
  value: status,
  label: <DeliveryStatusMark status={status} />,
  text: STATUS[status].label,
}));

const WINDOW_OPTIONS: Option[] = WINDOW_NAMES.map((name) => ({
  value: name,
  label: WINDOWS[name].label,
  text: WINDOWS[name].label,
}));

function endpointOption(endpoint: Endpoint): Option {
  const { host, path } = partsOfUrl(endpoint.url);
  const label = (
    <span className={classes.endpoint}>
      <span>
        {host}
        {path}
      </span>
      {endpoint.description && <span className={classes.description}>{endpoint.description}</span>}
    </span>
  );
  return { value: endpoint.id, label, text: `${host}${path}` };
}

function typeOptions(rows: readonly Delivery[]): Option[] {
  const names = new Set([...rows.map((row) => row.event_type).sort(), ...BUILT_IN_TYPES]);
  return [...names].map((name) => ({ value: name, label: name, text: name }));
}
