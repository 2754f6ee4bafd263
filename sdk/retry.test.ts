import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#web/test-support.ts";
import { ApiProblem, type Client, createClient, isPassing } from "./index.ts";
import { nextDelay } from "./retry.ts";
import { type Network, openNetwork } from "./testing-network.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let network: Network;
let client: Client;
beforeEach(async () => {
  const { key } = await api.addTenant();
  network = await openNetwork(api.server.origin);
  const retry = { baseDelayMs: 1 };
  client = createClient({ baseUrl: `${network.origin}/api/v1`, apiKey: key, retry });
});
afterEach(() => network.close());

const body = { CustomerId: "cus_42", Total: 49.9, Currency: "EUR" };
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a call whose answer is lost", () => {
  it("is sent again with the same key, and makes one order", async () => {
    network.fates = ["lose-answer", "lose-request", { status: 503, headers: { "retry-after": "0" } }];
    const order = await client.createOrder({ body });
    expect(network.seen).toHaveLength(4);
    const keys = new Set(network.seen.map(({ headers }) => headers["idempotency-key"]));
    expect([keys.size, [...keys][0]]).toEqual([1, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const { items } = await client.listOrders();
    expect(items.map(({ id }) => id)).toEqual([order.id]);
  });

  it("keeps the key that it was given, and makes another for the next call", async () => {
    await client.createOrder({ body, idempotencyKey: "mine" });
    await client.createOrder({ body });
    await client.createOrder({ body });
    const keys = network.seen.map(({ headers }) => headers["idempotency-key"]);
    expect([keys[0], new Set(keys).size]).toEqual(["mine", 3]);
  });

  it("is sent again when it is a POST with If-Match too: the key tells that it is the same", async () => {
    const { id } = await client.createOrder({ body });
    network.fates = ["lose-answer"];
    expect(await client.payOrder({ params: { id }, ifMatch: 1 })).toMatchObject({
      status: "paid",
      version: 2,
    });
  });

  it("is not sent again when it is a PUT with If-Match: the change may be in its own way", async () => {
    const { id } = await client.createOrder({ body });
    network.fates = ["lose-answer"];
    const change = { params: { id }, ifMatch: 1, body: { shipping_address: "here" } };
    const error = await failure(client.updateOrder(change));
    expect([isPassing(error), (error as ApiProblem).status]).toEqual([true, 0]);
    expect((await client.getOrder({ params: { id } })).version).toBe(2);
  });
});

describe("a call that is refused", () => {
  it("waits as long as the server asks, then is sent again, If-Match or not", async () => {
    const { id } = await client.createOrder({ body });
    network.fates = [{ status: 429, headers: { "retry-after": "1" } }];
    const startedAt = performance.now();
    await client.updateOrder({ params: { id }, ifMatch: 1, body: { shipping_address: "here" } });
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });

  it("for good is not sent again", async () => {
    await failure(client.createOrder({ body: { ...body, Total: -1 } }));
    await failure(client.getOrder({ params: { id: 4711 } }));
    expect(network.seen).toHaveLength(2);
  });

  it("every time ends after the last try, with the last problem", async () => {
    network.fates = Array.from({ length: 9 }, () => ({ status: 502 }));
    const error = await failure(client.listOrders());
    expect(error).toMatchObject({ status: 502, title: "The server answered with status 502", slug: null });
    expect(network.seen).toHaveLength(4);
  });

  it("is given up when the wait would be too long, and when its signal aborts during the wait", async () => {
    network.fates = [{ status: 503, headers: { "retry-after": "3600" } }];
    expect(await failure(client.listOrders())).toMatchObject({ status: 503, retryAfterMs: 3_600_000 });

    network.fates = [{ status: 503, headers: { "retry-after": "30" } }];
    const stop = new AbortController();
    const call = failure(client.listOrders({ signal: stop.signal }));
    await expect.poll(() => network.seen.length).toBe(2);
    stop.abort(new Error("not any more"));
    expect(await call).toEqual(new Error("not any more"));
  });
});

describe("nextDelay", () => {
  const problem = (status: number, retryAfterMs: number | null = null) =>
    new ApiProblem({
      ...{ status, retryAfterMs, title: "t", detail: "d" },
      ...{ slug: null, problem: null, code: null, requestId: null },
    });
  const at = (made: number, chance = 1) => ({ made, chance, isRepeatable: true });

  it("doubles its bound up to the longest wait, and takes a part of it by chance", () => {
    const many = { attempts: 99 };
    expect([1, 2, 3, 6, 20].map((made) => nextDelay(problem(503), at(made), many))).toEqual([
      250, 500, 1000, 8000, 8000,
    ]);
    expect(nextDelay(problem(503), at(1, 0.5))).toBe(125);
  });

  it("repeats nothing that nobody foresaw, and nothing after the last try", () => {
    expect(nextDelay(new TypeError("a bug"), at(1))).toBeNull();
    expect(nextDelay(problem(500), at(1))).toBeNull();
    expect(nextDelay(problem(503), at(4))).toBeNull();
    expect(nextDelay(problem(503), { ...at(1), isRepeatable: false })).toBeNull();
    expect(nextDelay(problem(429, 7), { ...at(1), isRepeatable: false })).toBe(7);
  });
});
