import type { MinuteRow } from "#db/queries/endpoint-minutes.ts";
import type { SettleRow } from "#db/queries/settle.ts";
import { latencyClass, noLatencies } from "#server/domain/latency.ts";

const MINUTE_MS = 60_000;

type Tried = Pick<
  SettleRow,
  "tenantId" | "endpointId" | "startedAt" | "durationMs" | "outcome" | "errorCode" | "responseStatus"
>;

/**
 * What tries add to the minutes of their endpoints, in the order in which they are to be written. A try that was lost,
 * or that failed on our side, says nothing of its endpoint. A latency is that of an answer, or the time that was waited for it in vain: a connection that is
 * refused at once would only make an endpoint look quick.
 */
export function minutesOf(tries: readonly Tried[]): MinuteRow[] {
  const minutes = new Map<string, MinuteRow & { latencies: number[] }>();
  for (const tried of tries) {
    if (tried.outcome === "lost" || tried.errorCode === "internal") continue;
    const { tenantId, endpointId, startedAt } = tried;
    const at = Math.floor(startedAt.getTime() / MINUTE_MS) * MINUTE_MS;
    const key = `${tenantId} ${endpointId} ${at}`;
    let minute = minutes.get(key);
    if (!minute) {
      const nothing = { attempts: 0, succeeded: 0, latencies: noLatencies() };
      minute = { tenantId, endpointId, minute: new Date(at), ...nothing };
      minutes.set(key, minute);
    }
    minute.attempts++;
    if (tried.outcome === "ok") minute.succeeded++;
    if (tried.responseStatus !== null || tried.errorCode === "timeout") {
      const latency = latencyClass(tried.durationMs);
      minute.latencies[latency] = (minute.latencies[latency] ?? 0) + 1;
    }
  }
  return [...minutes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, minute]) => minute);
}
