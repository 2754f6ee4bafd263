import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

type Headers = Record<string, string>;

/** An order that is in that version. */
async function orderAt(version: string): Promise<number> {
  const { json } = await api.call("POST", "/orders", {
    json: { CustomerId: "c", Total: 5, Currency: "EUR" },
  });
  await api.services.db.query("update orders set version = $2 where id = $1", [json.id, version]);
  return json.id;
}
const put = (
  id: number | string,
  headers: Headers,
  call: CallOptions = { json: { shipping_address: "a" } },
) => api.call("PUT", `/orders/${id}`, { ...call, headers: { ...headers, ...call.headers } });
const pay = (id: number, headers: Headers) => api.call("POST", `/orders/${id}/payment`, { headers });
const read = (id: number | string, headers: Headers = {}, method = "GET") =>
  api.call(method, `/orders/${id}`, { headers });
const slugOf = (json?: { type: string }) => json?.type.split("/").at(-1);

// What is sent as If-Match for an order in version 7: the answer where it is needed, and where it is optional.
const MATRIX: [ifMatch: string | undefined, needed: number, optional: number][] = [
  [undefined, 428, 200],
  ["", 428, 428],
  ["*", 428, 200],
  ["7", 428, 428],
  ['"abc"', 428, 428],
  ['"-1"', 428, 428],
  ['"7.0"', 428, 428],
  ['" 7"', 428, 428],
  ["'7'", 428, 428],
  ['""', 428, 428],
  ['"7" garbage', 428, 428],
  ['"7', 428, 428],
  ['w/"7"', 428, 428],
  ['"7", *', 428, 428],
  ['"7"', 204, 200],
  ['"7","8"', 204, 200],
  ['"6" , "7"', 204, 200],
  ['W/"6", "7"', 204, 200],
  ['W/"7"', 412, 412],
  ['"8"', 412, 412],
  ['"6"', 412, 412],
  ['"07"', 412, 412],
  ['"9223372036854775808"', 412, 412],
  ['"99999999999999999999"', 412, 412],
];

describe("If-Match", () => {
  it.each(MATRIX)(
    "%j of version 7 gives %i where it is needed, and %i where it is not",
    async (ifMatch, needed, optional) => {
      const headers: Headers = ifMatch === undefined ? {} : { "if-match": ifMatch };
      const slugs: Record<number, string> = { 412: "precondition-failed", 428: "precondition-required" };
      const calls = [
        [put, needed],
        [pay, optional],
      ] as const;
      for (const [call, wanted] of calls) {
        const id = await orderAt("7");
        const answer = await call(id, headers);
        expect([answer.status, slugOf(answer.json?.type && answer.json)]).toEqual([wanted, slugs[wanted]]);
        if (wanted === 412) expect(answer.json.current_version).toBe(7);
        const { version } = (await read(id)).json;
        expect(version).toBe(wanted < 300 ? 8 : 7);
      }
    },
  );

  it("tells who sent none how to send it", async () => {
    const answer = await put(await orderAt("1"), {});
    expect(answer.json).toMatchObject({
      title: "Precondition required",
      detail: expect.stringContaining('If-Match: "7"'),
    });
  });
});

describe("If-None-Match", () => {
  it.each([
    ['"7"', 304],
    ['W/"7"', 304],
    ["*", 304],
    ['"6", W/"7"', 304],
    ['"6"', 200],
    ['"77"', 200],
    ["7", 200],
    ["", 200],
  ])("%j gives a reader of version 7: %i", async (tag, status) => {
    const id = await orderAt("7");
    for (const method of ["GET", "HEAD"]) {
      const answer = await read(id, { "if-none-match": tag }, method);
      expect(answer.status).toBe(status);
      for (const [name, value] of Object.entries({
        etag: '"7"',
        "cache-control": "private, no-cache, no-transform",
      }))
        expect(answer.headers.get(name), name).toBe(value);
      expect(answer.headers.get("vary")).toContain("Authorization");
      if (status === 304) expect([answer.text, answer.headers.get("content-type")]).toEqual(["", null]);
    }
  });

  it("stops giving 304 with the next change", async () => {
    const id = await orderAt("7");
    expect((await put(id, { "if-match": '"7"' })).status).toBe(204);
    const answer = await read(id, { "if-none-match": '"7"' });
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, '"8"']);
  });

  it("keeps a change from the versions that it names, after If-Match", async () => {
    const id = await orderAt("7");
    for (const tag of ['"7"', 'W/"7"', "*"]) {
      const answer = await put(id, { "if-match": '"7"', "if-none-match": tag });
      expect([answer.status, answer.json.current_version]).toEqual([412, 7]);
    }
    expect((await put(id, { "if-none-match": "*" })).status).toBe(428);
    expect((await put(id, { "if-match": '"7"', "if-none-match": '"6"' })).status).toBe(204);
  });
});

describe("the checks of a change", () => {
  it("come in the contract's order, each defect hiding those after it", async () => {
    const id = await orderAt("7");
    await api.services.db.query("update orders set status = 'shipped' where id = $1", [id]);
    const reader = await api.addKey(api.tenant.id, ["orders:read"]);
    const text = { "content-type": "text/plain" };
    const huge = " ".repeat(256 * 1024 + 1);
    const steps: [number, string, number | string, Headers, CallOptions][] = [
      [401, "unauthenticated", 1, text, { key: "ph_nonsense", body: huge }],
      [403, "forbidden", 1, text, { key: reader, body: huge }],
      [404, "not-found", 1, text, { body: huge }],
      [404, "not-found", "99999999999999999999", text, { body: huge }],
      [404, "not-found", "one", text, { body: huge }],
      [415, "unsupported-media-type", id, text, { body: huge }],
      [413, "payload-too-large", id, {}, { body: huge }],
      [428, "precondition-required", id, {}, { body: "{" }],
      [412, "precondition-failed", id, { "if-match": '"6"' }, { body: "{" }],
      [400, "malformed-json", id, { "if-match": '"7"' }, { body: "{" }],
      [422, "validation-error", id, { "if-match": '"7"' }, { json: {} }],
      [409, "state-conflict", id, { "if-match": '"7"' }, { json: { shipping_address: "a" } }],
    ];
    for (const [status, slug, order, headers, call] of steps) {
      const answer = await put(order, headers, call);
      expect([answer.status, slugOf(answer.json)]).toEqual([status, slug]);
    }
  });

  it("begin with path and method, whoever asks", async () => {
    const wrong = await api.call("DELETE", "/orders/1", { key: null });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, PUT"]);
    expect((await api.call("PUT", "/order/1", { key: null })).status).toBe(404);
  });

  it("ask for a known query before they look at the body", async () => {
    const answer = await api.call("PUT", `/orders/${await orderAt("7")}?x=1`, {
      body: "{",
      headers: { "if-match": '"7"' },
    });
    expect([answer.status, slugOf(answer.json)]).toEqual([400, "invalid-parameter"]);
  });
});

describe("a version near the end of int64", () => {
  const [near, last] = ["9223372036854775806", "9223372036854775807"];

  it("is told and compared to its last digit", async () => {
    const id = await orderAt(near);
    const got = await read(id);
    expect([got.headers.get("etag"), got.text]).toEqual([
      `"${near}"`,
      expect.stringContaining(`"version":${near},`),
    ]);
    expect((await api.call("GET", "/orders?limit=1")).text).toContain(`"version":${near},`);
    expect((await read(id, { "if-none-match": `"${near}"` })).status).toBe(304);

    // What a double would take it for.
    const rounded = await put(id, { "if-match": '"9223372036854775808"' });
    expect([rounded.status, rounded.text]).toEqual([
      412,
      expect.stringContaining(`"current_version":${near}`),
    ]);
    expect((await put(id, { "if-match": '"9223372036854775807"' })).status).toBe(412);

    const updated = await put(id, { "if-match": `"${near}"`, prefer: "return=representation" });
    expect([updated.status, updated.text]).toEqual([200, expect.stringContaining(`"version":${last},`)]);
    expect((await api.call("GET", "/events?type=OrderUpdated&limit=1000")).text).toContain(
      `"version":${last},`,
    );
    expect((await read(id)).headers.get("etag")).toBe(`"${last}"`);
  });

  it("is as exact as an order's own number there", async () => {
    const id = "9007199254740993";
    await api.services.db.query(
      `insert into orders (tenant_id, id, customer_id, total, currency) overriding system value
       values ($1, $2, 'c', 1, 'EUR')`,
      [api.tenant.id, id],
    );
    const { text, json } = await read(id);
    expect(text).toContain(`"id":${id},`);
    expect(json.links[0].href).toBe(`/api/v1/orders/${id}`);
    expect((await read("9007199254740992")).status).toBe(404);
    expect((await put(id, { "if-match": '"1"' })).status).toBe(204);
    expect((await api.call("GET", "/events?type=OrderUpdated&limit=1000")).text).toContain(`"id":${id},`);
  });
});
