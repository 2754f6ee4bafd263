"use client";

import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRef } from "react";
import type { EndpointsById } from "#client/endpoints.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import { DeliveryRow, ROW_LINK } from "./delivery-row.tsx";
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
}

/** The deliveries as a table. `j` and `k` move the focus from row to row, Enter opens. */
export function DeliveryTable({
  rows,
  endpoints,
  isLoading,
  skeletonRows = SKELETON_ROWS,
}: DeliveryTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (by: 1 | -1) => () => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`) ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useHotkeys([
    ["j", move(1)],
    ["k", move(-1)],
  ]);
  if (!isLoading && rows.length === 0) return null;
  return (
    <table className={classes.table} aria-busy={isLoading}>
      <VisuallyHidden component="caption">
        Deliveries, newest first. Press j and k to move between rows, Enter to open one.
      </VisuallyHidden>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col" data-column={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {isLoading ? (
          <SkeletonRows count={skeletonRows} />
        ) : (
          rows.map((row) => (
            <DeliveryRow key={row.id} delivery={row} endpoint={endpoints.get(row.endpoint_id)} />
          ))
        )}
      </tbody>
    </table>
  );
}

function SkeletonRows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
    <tr key={index}>
      {COLUMNS.map((name) => (
        <td key={name} data-column={name}>
          <Skeleton height={12} width="70%" />
        </td>
      ))}
    </tr>
  ));
}
