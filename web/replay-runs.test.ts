import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { replaying, wholeRange } from "./testing/replaying.ts";

let api: TestApi;
let tool: ReturnType<typeof replaying>;
beforeAll(async () => {
  api = await openTestApi();
  tool = replaying(api);
});
afterAll(() => api.close());

describe("a replay of 10,000 deliveries", () => {
  it("shows its progress, and stops midway when it is cancelled: the rest stays as it was", async () => {
    const receiver = await openReceiver();
    const endpoint = await tool.addEndpoint(receiver.origin);
    await tool.publish("Bulk", 10_000);
    await tool.settleAll(endpoint, "failed");

    const asked = { ...wholeRange(), statuses: ["failed"], event_types: ["Bulk"] };
    const dry = await tool.start(endpoint, "replays", asked, "?dry_run=true");
    expect([dry.status, dry.json]).toEqual([200, { total: 10_000 }]);
    expect((await api.call("GET", "/replays")).json.items).toEqual([]);

    const started = await tool.start(endpoint, "replays", asked);
    const { id } = started.json;
    expect([started.status, started.headers.get("location")]).toEqual([202, `/api/v1/replays/${id}`]);
    expect(started.json).toMatchObject({ status: "queued", total: 10_000, done: 0, endpoint_id: endpoint });
    await tool.startWorker();

    const seen = new Set<number>();
    await tool.until(id, ({ status, done }) => {
      seen.add(done);
      return status === "running" && done >= 2_000;
    });
    expect(seen.size).toBeGreaterThan(3);
    const cancelled = await api.call("POST", `/replays/${id}/cancel`);
    expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelled"]);
    expect(cancelled.json.done).toBeLessThan(10_000);

    // What had been put back is still sent and counted; nothing beyond it.
    const { delivered = 0 } = await settled(endpoint);
    expect(delivered - cancelled.json.done).toBeLessThanOrEqual(600);
    const end = await tool.until(id, ({ done }) => done === delivered);
    expect(end).toMatchObject({ status: "cancelled", succeeded: delivered, failed: 0 });
    expect(await tool.statuses(endpoint)).toEqual({ delivered, failed: 10_000 - delivered });
    expect(receiver.received).toHaveLength(delivered);
    const again = await api.call("POST", `/replays/${id}/cancel`);
    expect([again.status, again.json.state]).toEqual([409, "cancelled"]);
  });
});

it("goes on where it was after kill -9 of its worker, and sends nothing twice at once", async () => {
  const receiver = await openReceiver(({ answer }) => setTimeout(() => answer(200), 5));
  const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Killed"], max_in_flight: 20 });
  await tool.publish("Killed", 1_500);
  await tool.settleAll(endpoint, "failed");
  const { json } = await tool.start(endpoint, "replays", wholeRange());
  for (const done of [50, 400, 800]) {
    const worker = await tool.startWorker();
    await tool.until(json.id, (replay) => replay.done >= done);
    worker.kill("SIGKILL");
    await worker.ended;
  }
  await tool.startWorker();
  const end = await tool.until(json.id, ({ status }) => status === "completed");
  expect(end).toMatchObject({ total: 1_500, done: 1_500, succeeded: 1_500, failed: 0 });
  expect(end.completed_at).not.toBeNull();
  expect(await tool.statuses(endpoint)).toEqual({ delivered: 1_500 });
  expect(receiver.doubled.size).toBe(0);
  // One attempt that counted for each, and those that were lost with their workers; none began anew.
  for (const tries of await tool.attemptsOf(endpoint)) {
    expect(tries.map(({ number }) => number)).toEqual(tries.map((_, at) => at + 1));
    expect(tries.at(-1)).toMatchObject({ trigger: "replay", outcome: "ok" });
    expect(tries.slice(0, -1).every(({ outcome }) => outcome === "lost")).toBe(true);
  }
});

it("sends each delivery once when two replays overlap, and both come to an end", async () => {
  const receiver = await openReceiver(({ answer }) => setTimeout(() => answer(200), 3));
  const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Twice"], max_in_flight: 50 });
  await tool.publish("Twice", 2_000);
  await tool.settleAll(endpoint, "failed");
  const [first, second] = await Promise.all([
    tool.start(endpoint, "replays", wholeRange()),
    tool.start(endpoint, "recoveries", { since: wholeRange().from }),
  ]);
  await Promise.all([tool.startWorker(), tool.startWorker()]);
  const ends = await Promise.all(
    [first, second].map(({ json }) => tool.until(json.id, ({ status }) => status === "completed")),
  );
  expect(ends.reduce((sum, { done }) => sum + done, 0)).toBe(2_000);
  for (const { total, done, succeeded } of ends) expect([total, succeeded]).toEqual([done, done]);
  expect(receiver.doubled.size).toBe(0);
  expect(receiver.received).toHaveLength(2_000);
  for (const tries of await tool.attemptsOf(endpoint)) expect(tries).toHaveLength(1);
});

it("counts what fails, waits for retries, and is not held up by them", async () => {
  // More than may be untried at a time answer 500 at first.
  const receiver = await openReceiver(({ headers, body, answer }) => {
    const { n } = JSON.parse(body.toString()).data;
    if (n % 10 === 0) answer(400);
    else answer(headers["x-attempt"] === "1" && n % 10 < 8 ? 500 : 200);
  });
  const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Flaky"] });
  await tool.publish("Flaky", 1_000);
  await tool.settleAll(endpoint, "cancelled");
  const { json } = await tool.start(endpoint, "replays", { ...wholeRange(), statuses: ["cancelled"] });
  await tool.startWorker();
  const end = await tool.until(json.id, ({ status }) => status === "completed");
  expect(end).toMatchObject({ total: 1_000, done: 1_000, succeeded: 900, failed: 100 });
  expect(await tool.statuses(endpoint)).toEqual({ delivered: 900, failed: 100 });
});

it("waits while its endpoint is paused, and goes on when that is enabled", async () => {
  const receiver = await openReceiver();
  const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Paused"] });
  await tool.publish("Paused", 200);
  await tool.settleAll(endpoint, "failed");
  await api.call("POST", `/webhook-endpoints/${endpoint}/pause`);
  const { status, json } = await tool.start(endpoint, "replays", wholeRange());
  expect(status).toBe(202);
  await tool.startWorker();
  await tool.until(json.id, (replay) => replay.status === "running");
  expect(await tool.statuses(endpoint)).toEqual({ failed: 200 });
  await api.call("POST", `/webhook-endpoints/${endpoint}/enable`);
  const end = await tool.until(json.id, (replay) => replay.status === "completed");
  expect(end).toMatchObject({ total: 200, done: 200, succeeded: 200 });
});

it("ends when its endpoint is disabled, and what was not put back stays as it was", async () => {
  let received = 0;
  const receiver = await openReceiver(({ answer }) => answer(++received <= 100 ? 200 : 410));
  const endpoint = await tool.addEndpoint(receiver.origin, { event_types: ["Gone"] });
  await tool.publish("Gone", 3_000);
  await tool.settleAll(endpoint, "failed");
  const { json } = await tool.start(endpoint, "replays", wholeRange());
  await tool.startWorker();
  await tool.until(json.id, ({ status }) => status === "cancelled");
  const statuses = await settled(endpoint);
  expect(statuses.failed).toBeGreaterThan(1_000);
  const { delivered = 0, cancelled = 0 } = statuses;
  const tries = await tool.attemptsOf(endpoint);
  const gone = tries.length - delivered;
  const end = await tool.until(json.id, ({ done }) => done >= tries.length + cancelled);
  expect(end).toMatchObject({ succeeded: delivered, failed: cancelled + gone });
});

/** Waits until nothing of the endpoint is under way. */
const settled = (endpoint: string) =>
  expect
    .poll(() => tool.statuses(endpoint), { timeout: 30_000 })
    .not.toHaveProperty("pending")
    .then(() => tool.statuses(endpoint));
