import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

describe("orders", () => {
  it("creates an order and reads it back", async () => {
    const made = await api.call("POST", "/orders", {
      json: { CustomerId: "cus_1", Total: 49.9, Currency: "EUR" },
    });
    expect(made.text).toContain("awaiting-payment");
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/api/v1/orders/${made.json.id}`);
    const read = await api.call("GET", `/orders/${made.json.id}`);
    expect(read.json).toEqual(made.json);
    expect(read.headers.get("etag")).toBe('"1"');
  });

  it("publishes and lists", async () => {
    const made = await api.call("POST", "/events", { json: { type: "invoice.paid", data: { a: 1 } } });
    expect([made.status, made.text]).toEqual([201, expect.stringContaining('"data":{"a":1}')]);
    const list = await api.call("GET", "/events");
    expect(list.json.items.map((event: { type: string }) => event.type)).toEqual([
      "OrderCreated",
      "invoice.paid",
    ]);
    const endpoint = await api.call("POST", "/webhook-endpoints", {
      json: { url: "http://127.0.0.1:9999/x", event_types: ["*"] },
    });
    expect([endpoint.status, endpoint.json]).toEqual([201, expect.objectContaining({ secret_key_id: "v1" })]);
  });
});
