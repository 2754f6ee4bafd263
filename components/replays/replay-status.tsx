import type { ReplayStatus } from "#contracts/replays.ts";
import { StatusMark, type Tone } from "../status.tsx";

/** Total: a new status does not compile until it has a word and a colour. */
export const REPLAY_STATUS: Record<ReplayStatus, { label: string; tone: Tone }> = {
  queued: { label: "Queued", tone: "wait" },
  running: { label: "Running", tone: "busy" },
  completed: { label: "Completed", tone: "good" },
  cancelled: { label: "Cancelled", tone: "idle" },
};

export function ReplayStatusMark({ status }: { status: ReplayStatus }) {
  return <StatusMark {...REPLAY_STATUS[status]} pulses={status === "running"} />;
}
