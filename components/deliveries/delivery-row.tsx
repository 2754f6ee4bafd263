"use client";

import Link from "next/link";
import { type MouseEvent, memo } from "react";
import { partsOfUrl } from "#client/endpoints.ts";
import { lastResult } from "#client/result-label.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import table from "../data-table.module.css";
import { DeliveryStatusMark, STATUS } from "../status.tsx";
import { Ago, Until } from "../time.tsx";
import { ROW_LINK } from "../use-row-keys.ts";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-table.module.css";

interface DeliveryRowProps {
  delivery: Delivery;
  /** Absent while endpoints load, and for one that was deleted. */
  endpoint: Endpoint | undefined;
  isSelected: boolean;
  /** Whether it is shown beside the list. */
  isOpen?: boolean | undefined;
  /** `isRange`: with all rows since the one toggled before. Absent where rows cannot be selected. */
  onToggle?: ((id: string, isRange: boolean) => void) | undefined;
  /** Shows it beside the list. Absent where a row leads to its page, as it does on narrow screens too. */
  onOpen?: ((id: string) => void) | undefined;
}

const HAS_ROOM = "(min-width: 56.25em)";

export const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, endpoint, isSelected, isOpen, onToggle, onOpen } = props;
  const { href } = useWorkspace();
  const { host, path } = partsOfUrl(endpoint?.url ?? delivery.endpoint_id);
  const result = lastResult(delivery);
  const open = (event: MouseEvent) => {
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!onOpen || isElsewhere || !window.matchMedia(HAS_ROOM).matches) return;
    event.preventDefault();
    onOpen(delivery.id);
  };
  return (
    <tr className={`${table.row} ${classes.row}`} data-selected={isSelected || isOpen || undefined}>
      {onToggle && (
        <td data-column="Select">
          <label className={classes.select}>
            <input
              type="checkbox"
              aria-label={`Select ${delivery.event_type} to ${host}${path}, ${STATUS[delivery.status].label}`}
              checked={isSelected}
              onChange={(event) => onToggle(delivery.id, (event.nativeEvent as PointerEvent).shiftKey)}
            />
          </label>
        </td>
      )}
      <td data-column="Status">
        <DeliveryStatusMark status={delivery.status} />
        <span className={classes.under} data-indented="">
          {result}
        </span>
      </td>
      <td data-column="Event type">
        <Link
          {...{ [ROW_LINK]: delivery.id }}
          className={table.link}
          href={href(`/deliveries/${delivery.id}`)}
          prefetch={false}
          onClick={open}
          aria-label={`${delivery.event_type} to ${host}${path}, ${STATUS[delivery.status].label}`}
        >
          {delivery.event_type}
        </Link>
        <span className={classes.under} aria-hidden="true">
          {host}
          {path}
        </span>
      </td>
      <td data-column="Endpoint" title={endpoint?.url}>
        <span className={classes.host}>{host}</span>
        <span className={classes.path}>{path}</span>
      </td>
      <td data-column="Attempts">{delivery.attempts}</td>
      <td data-column="Last result" title={result ? explainOutcome(delivery.failure_reason) : undefined}>
        {result ?? <Nothing />}
        {delivery.failure_class && <span className={classes.aside}> {delivery.failure_class}</span>}
      </td>
      <td data-column="Next attempt">
        {delivery.status === "pending" && delivery.next_attempt_at ? (
          <Until at={delivery.next_attempt_at} />
        ) : (
          <Nothing />
        )}
      </td>
      <td data-column="Created">
        <Ago at={delivery.created_at} />
      </td>
    </tr>
  );
});

const Nothing = () => <span className={classes.aside}>–</span>;
