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
  it("shows its progress, and stops midway when it is cancelled: the rest stays as it was", {
    timeout: 120_000,
  }, async () => {
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

/** Waits until nothing of the endpoint is under way. */
const settled = (endpoint: string) =>
  expect
    .poll(() => tool.statuses(endpoint), { timeout: 30_000 })
    .not.toHaveProperty("pending")
    .then(() => tool.statuses(endpoint));
