import { afterAll, beforeAll, expect, it } from "vitest";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { replaying, wholeRange } from "./testing/replaying.ts";

const STORM = 5_000;
const FRESH = 100;

let api: TestApi;
let tool: ReturnType<typeof replaying>;
beforeAll(async () => {
  api = await openTestApi();
  tool = replaying(api);
});
afterAll(() => api.close());

it("what is fresh is delivered beside a replay of thousands, to the same endpoint too, long before that is through", async () => {
  const arrived = new Map<string, number>();
  const receiver = await openReceiver(({ headers, body, answer }) => {
    if (headers["x-event"] === "Fresh") arrived.set(JSON.parse(body.toString()).id, performance.now());
    setTimeout(() => answer(200), 5);
  });
  const other = await openReceiver(({ body, answer }) => {
    arrived.set(`other ${JSON.parse(body.toString()).id}`, performance.now());
    answer(200);
  });
  const stormy = await tool.addEndpoint(receiver.origin, { event_types: ["Old", "Fresh"] });
  await tool.publish("Old", STORM);
  await tool.settleAll(stormy, "failed");
  await tool.addEndpoint(other.origin, { event_types: ["Fresh"] });
  await tool.startWorker();
  const { json: replay } = await tool.start(stormy, "replays", wholeRange());
  await tool.until(replay.id, ({ done }) => done > 100);

  const published = new Map<string, number>();
  for (let n = 0; n < FRESH; n++) {
    const beganAt = performance.now();
    const { json } = await api.call("POST", "/events", { json: { type: "Fresh", data: { n } } });
    published.set(json.id, beganAt);
    published.set(`other ${json.id}`, beganAt);
  }
  await expect.poll(() => arrived.size).toBe(2 * FRESH);
  const { json: then } = await api.call("GET", `/replays/${replay.id}`);
  expect(then.status).toBe("running");
  expect(then.done).toBeLessThan(STORM * 0.9);
  const latencies = [...published]
    .map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at)
    .sort((a, b) => a - b);
  expect(latencies[Math.floor(latencies.length * 0.95)]).toBeLessThan(3_000);

  const end = await tool.until(replay.id, ({ status }) => status === "completed");
  expect(end).toMatchObject({ done: STORM, succeeded: STORM, failed: 0 });
  expect([...receiver.doubled]).toEqual([]);
});
