import { afterAll, beforeAll, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

it("ends a page that takes longer than two seconds with 503 and Retry-After, and serves the next", async () => {
  const started = performance.now();
  const slow = await withTransaction(api.services.db, async (tx) => {
    // Whatever reads the table waits, as it would for a plan that reads too much.
    await tx.query("lock table orders in access exclusive mode");
    return api.call("GET", "/orders");
  });
  expect([slow.status, slow.json.type]).toEqual([503, `${api.server.origin}/problems/timeout`]);
  expect(Number(slow.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(performance.now() - started).toBeGreaterThan(1_900);
  expect((await api.call("GET", "/orders")).status).toBe(200);
});
