import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "#contracts/index.ts";
import { eventPayloads } from "#server/http/openapi/event-payloads.ts";
import { OpenApi } from "#server/http/openapi/testing-structure.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const read = (headers: Record<string, string> = {}, method = "GET") =>
  api.call(method, "/openapi.json", { key: null, headers });

describe("GET /openapi.json", () => {
  it("describes this deployment to anybody, and may be cached", async () => {
    const answer = await read();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    const document = OpenApi.parse(answer.json);
    expect(document.servers).toEqual([{ url: api.base }]);
    expect(document.components.examples["not-found"]).toMatchObject({
      value: { type: `${api.server.origin}/problems/not-found` },
    });
    expect(Object.values(document.paths).flatMap((item) => Object.values(item))).toHaveLength(
      operations.length,
    );
  });

  it("answers 304 to whoever has it already", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await read({ "if-none-match": `W/${etag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await read({ "if-none-match": '"other"' })).status).toBe(200);
  });

  it("is one of the API's paths: HEAD, OPTIONS, 405 and strict parameters", async () => {
    const head = await read({}, "HEAD");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(10_000);
    const options = await read({}, "OPTIONS");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const post = await read({}, "POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await api.call("GET", "/openapi.json?x=1")).status).toBe(400);
  });
});

describe("the payloads that the document promises", () => {
  it("are what orders emit", async () => {
    const json = { CustomerId: "c", Total: 12.5, Currency: "EUR", shipping_address: "1 High Street" };
    const { json: order } = await api.call("POST", "/orders", { json });
    const { json: other } = await api.call("POST", "/orders", { json });
    await api.call("PUT", `/orders/${order.id}`, {
      json: { shipping_address: null },
      headers: { "if-match": '"1"' },
    });
    await api.call("POST", `/orders/${order.id}/payment`, { json: { method: "card" } });
    await api.call("PUT", `/orders/${order.id}/shipment`, { json: { carrier: "DHL" } });
    await api.call("PUT", `/orders/${other.id}/cancellation`, { json: { reason: "ordered twice" } });
    const { json: feed } = await api.call("GET", "/events");
    const events: { type: string }[] = feed.items;
    expect(events.map(({ type }) => type)).toEqual([
      ...["OrderCreated", "OrderCreated", "OrderUpdated", "PaymentCaptured", "OrderShipped"],
      "OrderCancelled",
    ]);
    for (const event of events) {
      const payload = eventPayloads.find(({ name }) => name === event.type);
      expect(payload?.schema.parse(event)).toEqual(event);
    }
  });
});
