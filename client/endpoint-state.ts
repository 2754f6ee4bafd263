import { explainDisabled } from "#contracts/endpoint-health.ts";
import type { EndpointStats } from "#contracts/endpoint-stats.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { until } from "./format.ts";

/** How an endpoint is doing: its status, and whether it takes what it is sent. */
export const ENDPOINT_STATES = ["enabled", "failing", "paused", "disabled"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

const FAILING_BELOW = 0.5;
const SHORT_REASONS: Readonly<Record<string, string>> = {
  failing: "kept failing",
  blocked_address: "blocked address",
  gone: "answered 410",
};

type Health = Pick<EndpointStats, "circuit_breaker" | "buckets">;

/** An enabled endpoint fails when its circuit breaker is not closed, or most attempts of its last bucket failed. */
export function stateOf(endpoint: Endpoint, stats: Health | undefined): EndpointState {
  if (endpoint.status !== "enabled") return endpoint.status;
  if (!stats) return "enabled";
  const last = stats.buckets.findLast(({ attempts }) => attempts > 0);
  const fails = last?.success_rate !== undefined && (last.success_rate ?? 1) < FAILING_BELOW;
  return stats.circuit_breaker.state !== "closed" || fails ? "failing" : "enabled";
}

/** Whether anything is sent to it: its status where that is not enabled, or else its circuit breaker. */
export const sendingOf = (endpoint: Endpoint | undefined, breaker: Health["circuit_breaker"]["state"]) =>
  endpoint && endpoint.status !== "enabled" ? endpoint.status : breaker;

/** Why it is disabled, in two or three words; `null` for what is not. */
export function shortReason({ status, disabled_reason: reason }: Endpoint): string | null {
  if (status !== "disabled") return null;
  return reason === null ? "by a person" : (SHORT_REASONS[reason] ?? reason);
}

/** What its state means, in sentences. */
export function explainState(
  endpoint: Endpoint,
  stats: Health | undefined,
  nowMs: number,
): { headline: string; reason: string } {
  switch (stateOf(endpoint, stats)) {
    case "paused":
      return {
        headline: "It is paused: deliveries are made and held.",
        reason: "Nothing but test events is sent until somebody resumes it; then everything held goes out.",
      };
    case "disabled":
      return {
        headline: "It is disabled: new events make no delivery for it.",
        reason: explainDisabled(endpoint.disabled_reason),
      };
    case "enabled":
      return {
        headline: stats ? "It is enabled, and the circuit breaker is closed." : "It is enabled.",
        reason: "Deliveries are sent.",
      };
    case "failing":
      return explainFailing(stats, nowMs);
  }
}

function explainFailing(stats: Health | undefined, nowMs: number) {
  const { state, until: at } = stats?.circuit_breaker ?? { state: "closed", until: null };
  if (state === "open")
    return {
      headline: `The circuit breaker is open: it is tried again ${at ? until(Date.parse(at), nowMs) : "soon"}.`,
      reason:
        "It failed again and again, so nothing is sent for a while. What is queued waits, and loses no attempt.",
    };
  if (state === "half_open")
    return {
      headline: "The circuit breaker is half open: one delivery tries whether it is back.",
      reason: `The others wait for what comes of it${at ? `, ${until(Date.parse(at), nowMs)} at the latest` : ""}.`,
    };
  return {
    headline: "Most of its latest attempts failed.",
    reason: "The circuit breaker is closed, so deliveries are still sent, and tried again by their schedule.",
  };
}

/** When the last bucket began in which an attempt succeeded, and in which one failed. */
export function lastResults({ buckets }: Pick<EndpointStats, "buckets">) {
  return {
    success: buckets.findLast(({ succeeded }) => succeeded > 0)?.start ?? null,
    failure: buckets.findLast(({ failed }) => failed > 0)?.start ?? null,
  };
}
