import type { DeliveryStatus, Outcome } from "#contracts/deliveries.ts";
import classes from "./status.module.css";

/** The colours that mean something; each is a variable of the theme for light and dark. */
export type Tone = "good" | "bad" | "wait" | "busy" | "idle";

interface Look {
  label: string;
  tone: Tone;
}

/** Total: a new status does not compile until it has a word and a colour. */
export const STATUS: Record<DeliveryStatus, Look & { meaning: string }> = {
  pending: { label: "Pending", tone: "wait", meaning: "Queued, or waiting for its next attempt" },
  in_flight: { label: "In flight", tone: "busy", meaning: "An attempt is on its way" },
  delivered: { label: "Delivered", tone: "good", meaning: "The endpoint accepted it" },
  failed: { label: "Failed", tone: "bad", meaning: "Given up; it can be replayed" },
  cancelled: { label: "Cancelled", tone: "idle", meaning: "Never to be sent" },
  dismissed: { label: "Dismissed", tone: "idle", meaning: "Failed, and set aside by a person" },
};

/** What an attempt came to, in one word. */
export const OUTCOME: Record<Outcome, Look> = {
  ok: { label: "Accepted", tone: "good" },
  retry: { label: "Failed", tone: "bad" },
  retry_short: { label: "Failed", tone: "bad" },
  permanent: { label: "Refused", tone: "bad" },
  disable: { label: "Gone", tone: "bad" },
  lost: { label: "Lost", tone: "idle" },
};

/** A dot for the eye and a word for everybody. */
export function StatusMark({ label, tone, pulses = false }: Look & { pulses?: boolean }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      <span className={classes.dot} data-pulses={pulses || undefined} aria-hidden="true" />
      {label}
    </span>
  );
}

export function DeliveryStatusMark({ status }: { status: DeliveryStatus }) {
  const { label, tone } = STATUS[status];
  return <StatusMark label={label} tone={tone} pulses={status === "in_flight"} />;
}
