import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { parseExposition } from "#server/metrics/testing-exposition.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "../delivery/fixtures/http-receiver.ts";
import { forkWorker, type WorkerProcess } from "../delivery/fixtures/worker-process.ts";
import type { TestEngine } from "../delivery/test-support.ts";

const TOKEN = "t0ken-of-the-scraper";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

const forkTelling = () =>
  forkWorker(engine, { WORKER_METRICS_PORT: "0", METRICS_TOKEN: TOKEN, LOG_LEVEL: "info" });

/** Where a worker tells its figures, as its log has it. */
async function originOf(worker: WorkerProcess): Promise<string> {
  const port = await eventually(() => {
    const [, found] = /"metricsPort":(\d+)/.exec(worker.log) ?? [];
    expect(found).toBeDefined();
    return found;
  });
  return `http://127.0.0.1:${port}`;
}

it("shows the death of another worker: who is alive, what was put back, which tries were lost", async () => {
  let answering = false;
  const receiver = await openReceiver((request) => answering && request.answer(200));
  await engine.addEndpoint({ url: receiver.origin, timeoutMs: 30_000 });
  const dying = await forkWorker(engine);
  await engine.publish("a", 5);
  engine.wake();
  await eventually(() => expect(receiver.open).toBe(5));
  const worker = await forkTelling();
  const origin = await originOf(worker);
  const scrape = async () => {
    const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    return parseExposition(await answer.text());
  };
  expect((await scrape()).value("posthorn_workers_alive")).toBe(2);

  dying.kill("SIGKILL");
  answering = true;
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 5 }));
  await eventually(async () => {
    const { value } = await scrape();
    expect(value("posthorn_workers_alive")).toBe(1);
    expect(value("posthorn_jobs_swept_total")).toBeGreaterThanOrEqual(1);
    const lost = (await engine.attempts()).filter(({ outcome }) => outcome === "lost").length;
    expect(lost).toBe(5);
    expect(value("posthorn_attempts_total", { outcome: "lost", error_code: "worker_lost" })).toBe(lost);
    expect(value("posthorn_attempts_total", { outcome: "ok", error_code: "none" })).toBe(5);
  });
  const ready = await fetch(`${origin}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { delivering: { status: "ok", workers: 1 } },
  ]);
  worker.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
});

it("does not start on a port that is taken, and says so in one line", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as { port: number };
  await expect(forkWorker(engine, { WORKER_METRICS_PORT: String(port) })).rejects.toThrow(
    new RegExp(`WORKER_METRICS_PORT=${port} cannot be listened on`),
  );
});
