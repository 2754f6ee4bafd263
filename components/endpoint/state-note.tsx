"use client";

import { explainState, stateOf } from "#client/endpoint-state.ts";
import { useNow } from "#client/use-now.ts";
import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import noteClasses from "../delivery/next-step-note.module.css";
import { ENDPOINT_STATE } from "../endpoints/endpoint-state-mark.tsx";

/** How the endpoint stands, the circuit breaker included, in words. */
export function StateNote({ endpoint, stats }: { endpoint: Endpoint; stats: EndpointStats | undefined }) {
  const { headline, reason } = explainState(endpoint, stats, useNow());
  return (
    <div className={noteClasses.note} data-tone={ENDPOINT_STATE[stateOf(endpoint, stats)].tone}>
      <p className={noteClasses.headline}>{headline}</p>
      <p className={noteClasses.reason}>{reason}</p>
    </div>
  );
}
