"use client";

import { nextStepOf } from "#client/next-step.ts";
import { useNow } from "#client/use-now.ts";
import type { Attempt, Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { STATUS } from "../status.tsx";
import classes from "./next-step-note.module.css";

interface NextStepNoteProps {
  delivery: Delivery;
  last: Attempt | undefined;
  endpoint: Endpoint | undefined;
}

/** What happens next, in words. */
export function NextStepNote({ delivery, last, endpoint }: NextStepNoteProps) {
  const { headline, reason } = nextStepOf(delivery, { last, endpoint, nowMs: useNow() });
  return (
    <div className={classes.note} data-tone={STATUS[delivery.status].tone}>
      <p className={classes.headline}>{headline}</p>
      {reason && <p className={classes.reason}>{reason}</p>}
    </div>
  );
}
