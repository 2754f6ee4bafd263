"use client";

import Link from "next/link";
import { memo } from "react";
import { partsOfUrl } from "#client/endpoints.ts";
import { lastResult } from "#client/result-label.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { DeliveryStatusMark, STATUS } from "../status.tsx";
import { Ago, Until } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-table.module.css";

/** Marks the link that stands for its whole row. */
export const ROW_LINK = "data-row-link";

interface DeliveryRowProps {
  delivery: Delivery;
  /** Absent while endpoints load, and for one that was deleted. */
  endpoint: Endpoint | undefined;
  isSelected: boolean;
  /** `isRange`: with all rows since the one toggled before. Absent where rows cannot be selected. */
  onToggle?: ((id: string, isRange: boolean) => void) | undefined;
}

export const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, endpoint, isSelected, onToggle } = props;
  const { href } = useWorkspace();
  const { host, path } = partsOfUrl(endpoint?.url ?? delivery.endpoint_id);
  const result = lastResult(delivery);
  return (
    <tr className={classes.row} data-selected={isSelected || undefined}>
      {onToggle && (
        <td data-column="Select">
          <label className={classes.select}>
            <input
              type="checkbox"
              aria-label={`Select ${delivery.event_type} to ${host}${path}, ${STATUS[delivery.status].label}`}
              checked={isSelected}
              onChange={(event) => onToggle(delivery.id, (event.nativeEvent as MouseEvent).shiftKey)}
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
          className={classes.link}
          href={href(`/deliveries/${delivery.id}`)}
          prefetch={false}
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
