import type { EndpointState } from "#client/endpoint-state.ts";
import { StatusMark, type Tone } from "../status.tsx";

/** Total: a new state does not compile until it has a word and a colour. */
export const ENDPOINT_STATE: Record<EndpointState, { label: string; tone: Tone }> = {
  enabled: { label: "Enabled", tone: "good" },
  failing: { label: "Failing", tone: "bad" },
  paused: { label: "Paused", tone: "wait" },
  disabled: { label: "Disabled", tone: "idle" },
};

export function EndpointStateMark({ state }: { state: EndpointState }) {
  return <StatusMark {...ENDPOINT_STATE[state]} />;
}
