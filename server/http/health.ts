import type { Services } from "../context.ts";
import { QUEUES } from "../queue/queues.ts";
import type { ApiResponse } from "./message.ts";

/** `/healthz`: the process answers. */
export function health(): ApiResponse {
  return statusResponse(200, { status: "ok" });
}

/** `/readyz`: the database answers and every queue exists; else 503, so that no requests are sent here. */
export async function readiness({ boss, log }: Pick<Services, "boss" | "log">): Promise<ApiResponse> {
  try {
    const present = new Set((await boss.getQueues()).map((queue) => queue.name));
    const missing = Object.values(QUEUES).filter(({ name }) => !present.has(name));
    if (missing.length === 0) return statusResponse(200, { status: "ready" });
    return statusResponse(503, { status: "unavailable", missing_queues: missing.map(({ name }) => name) });
  } catch (error) {
    log.warn({ err: error }, "not ready");
    return statusResponse(503, { status: "unavailable" });
  }
}

function statusResponse(status: number, body: Record<string, unknown>): ApiResponse {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}
