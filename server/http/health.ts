import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../context.ts";
import { judgeProgress, type Progress } from "../domain/delivery-progress.ts";
import type { ReadFigures } from "../metrics/database-figures.ts";
import { QUEUES } from "../queue/queues.ts";
import type { ApiResponse } from "./message.ts";

/** A probe is not kept waiting for the figures: they are told when they are there in time. */
const FIGURES_WITHIN_MS = 1_000;

/** `/healthz`: the process answers. */
export function health(): ApiResponse {
  return statusResponse(200, { status: "ok" });
}

/**
 * `/readyz` of a web process: the database answers and every queue exists; else 503, so that no requests are sent here.
 * It also tells how deliveries are getting on, which does not count: events can be published without any worker.
 */
export async function readiness({
  boss,
  log,
  figures,
}: Pick<Services, "boss" | "log"> & { figures: ReadFigures }): Promise<ApiResponse> {
  try {
    const present = new Set((await boss.getQueues()).map((queue) => queue.name));
    const missing = Object.values(QUEUES).filter(({ name }) => !present.has(name));
    if (missing.length === 0)
      return statusResponse(200, { status: "ready", delivering: await delivering(figures) });
    return statusResponse(503, { status: "unavailable", missing_queues: missing.map(({ name }) => name) });
  } catch (error) {
    log.warn({ err: error }, "not ready");
    return statusResponse(503, { status: "unavailable" });
  }
}

/**
 * `/readyz` of a worker: it holds its lease, and deliveries are getting on; else 503. Late ones alone are no reason: the
 * worker may be doing what it can.
 */
export async function workerReadiness(holdsLease: boolean, figures: ReadFigures): Promise<ApiResponse> {
  const seen = await delivering(figures);
  const isReady = holdsLease && seen.status !== "stalled" && seen.status !== "unknown";
  return statusResponse(isReady ? 200 : 503, {
    status: isReady ? "ready" : "unavailable",
    holds_lease: holdsLease,
    delivering: seen,
  });
}

interface Delivering {
  status: Progress | "unknown";
  oldest_due_seconds: number | null;
  workers: number | null;
}

async function delivering(read: ReadFigures): Promise<Delivering> {
  const figures = await Promise.race([read(), delay(FIGURES_WITHIN_MS, undefined, { ref: false })]);
  const { pending, workers } = figures ?? {};
  if (!pending || workers === undefined)
    return { status: "unknown", oldest_due_seconds: null, workers: workers ?? null };
  const { oldestDueSeconds } = pending;
  return {
    status: judgeProgress({ oldestDueSeconds, workers }),
    oldest_due_seconds: Math.round(oldestDueSeconds),
    workers,
  };
}

function statusResponse(status: number, body: Record<string, unknown>): ApiResponse {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}
