import { afterAll, beforeAll, expect, it } from "vitest";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { replaying } from "./testing/replaying.ts";

let api: TestApi;
let tool: ReturnType<typeof replaying>;
beforeAll(async () => {
  api = await openTestApi();
  tool = replaying(api);
});
afterAll(() => api.close());

it("a delivery that was cancelled is not sent any more, although a worker is at work on it", async () => {
  // Nothing ever succeeds, so that each delivery goes to and fro between waiting and being sent.
  const receiver = await openReceiver(({ answer }) => setTimeout(() => answer(500), 10));
  const endpoint = await tool.addEndpoint(receiver.origin, { max_in_flight: 40 });
  await tool.publish("Raced", 200);
  const pages = [await api.call("GET", "/deliveries?limit=100")];
  pages.push(await api.call("GET", `/deliveries?limit=100&after=${pages[0]?.json.next_cursor}`));
  const ids: string[] = pages.flatMap(({ json }) => json.items.map(({ id }: { id: string }) => id));
  await tool.startWorker();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(20);

  const cancelledAt = new Map<string, number>();
  const refusals: string[] = [];
  const cancelSome = async (mine: readonly string[]) => {
    for (const id of mine)
      while (!cancelledAt.has(id)) {
        const { status, json } = await api.call("POST", `/deliveries/${id}/cancel`);
        if (status === 200) cancelledAt.set(id, Date.now());
        else refusals.push(json.state);
      }
  };
  await Promise.all(Array.from({ length: 5 }, (_, part) => cancelSome(ids.slice(part * 40, part * 40 + 40))));
  expect(new Set(refusals)).toEqual(new Set(["in_flight"]));
  const jobs = "select count(*)::int as count from pgboss.job where name like 'deliver%'";
  await expect
    .poll(async () => (await api.services.db.query(jobs))[0], { timeout: 40_000 })
    .toEqual({ count: 0 });

  for (const { headers, at } of receiver.received)
    expect(at).toBeLessThanOrEqual(cancelledAt.get(String(headers["x-delivery"])) ?? 0);
  expect(await tool.statuses(endpoint)).toEqual({ cancelled: 200 });
  expect(receiver.received.length).toBe((await tool.attemptsOf(endpoint)).flat().length);
});
