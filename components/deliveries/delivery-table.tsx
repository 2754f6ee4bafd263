"use client";

import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useRef } from "react";
import type { EndpointsById } from "#client/endpoints.ts";
import type { Selection } from "#client/use-selection.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import table from "../data-table.module.css";
import { focusedRow, useRowKeys } from "../use-row-keys.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import classes from "./delivery-table.module.css";

// As long as a page of the list on most screens, so that nothing jumps when it comes.
const SKELETON_ROWS = 30;
const COLUMNS = ["Status", "Event type", "Endpoint", "Attempts", "Last result", "Next attempt", "Created"];

interface DeliveryTableProps {
  rows: readonly Delivery[];
  endpoints: EndpointsById;
  isLoading: boolean;
  /** As many as there are likely to be. */
  skeletonRows?: number;
  /** Of the rows, where something can be done with several. */
  selection?: Selection | undefined;
  /** The row that is shown beside the list, and how one gets there. */
  openId?: string | null;
  onOpen?: (id: string) => void;
}

/** The deliveries as a table. `j` and `k` move the focus from row to row, Enter opens. */
export function DeliveryTable({
  rows,
  endpoints,
  isLoading,
  skeletonRows = SKELETON_ROWS,
  selection,
  openId,
  onOpen,
}: DeliveryTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  useShortcut("peek", () => focusedRow()?.click(), onOpen !== undefined);
  if (!isLoading && rows.length === 0) return null;
  return (
    <table className={`${table.table} ${classes.deliveries}`} aria-busy={isLoading}>
      <VisuallyHidden component="caption">
        Deliveries, newest first. Press j and k to move between rows, Enter to open one
        {selection && ", x to select it"}.
      </VisuallyHidden>
      <thead>
        <tr>
          {selection && (
            <th scope="col" data-column="Select">
              <SelectPage rows={rows} selection={selection} />
            </th>
          )}
          {COLUMNS.map((name) => (
            <th key={name} scope="col" data-column={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {isLoading ? (
          <SkeletonRows count={skeletonRows} canSelect={selection !== undefined} />
        ) : (
          rows.map((row) => (
            <DeliveryRow
              key={row.id}
              delivery={row}
              endpoint={endpoints.get(row.endpoint_id)}
              isSelected={selection?.ids.has(row.id) ?? false}
              isOpen={openId === row.id}
              onToggle={selection?.toggle}
              onOpen={onOpen}
            />
          ))
        )}
      </tbody>
    </table>
  );
}

function SelectPage({ rows, selection }: { rows: readonly Delivery[]; selection: Selection }) {
  const { ids } = selection;
  const isAll = rows.length > 0 && rows.every((row) => ids.has(row.id));
  return (
    <label className={classes.select}>
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={isAll}
        disabled={rows.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && ids.size > 0;
        }}
        onChange={selection.togglePage}
      />
    </label>
  );
}

function SkeletonRows({ count, canSelect }: { count: number; canSelect: boolean }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
    <tr key={index}>
      {canSelect && <td data-column="Select" />}
      {COLUMNS.map((name) => (
        <td key={name} data-column={name}>
          <Skeleton height={12} width="70%" />
        </td>
      ))}
    </tr>
  ));
}
