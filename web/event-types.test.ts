import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUILT_IN_TYPES } from "#contracts/events.ts";
import { JsonSource } from "#server/http/json/json-source.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const put = (name: string, json: unknown, key?: string) =>
  api.call("PUT", `/event-types/${name}`, { json, ...(key ? { key } : {}) });
const get = (name: string, key?: string) =>
  api.call("GET", `/event-types/${name}`, key ? { key } : undefined);
const remove = (name: string, key?: string) =>
  api.call("DELETE", `/event-types/${name}`, key ? { key } : undefined);
const names = (answer: { json: { items: { name: string }[] } }) => answer.json.items.map(({ name }) => name);
const pointers = (answer: { json: { errors: { pointer: string }[] } }) =>
  answer.json.errors.map((error) => error.pointer);
const audits = (tenantId: string) =>
  api.services.db.query("select action, target from audit_log where tenant_id = $1 order by number", [
    tenantId,
  ]);

describe("PUT /event-types/{name}", () => {
  it("answers 201 for a new type, 200 for one that is replaced, and reads back", async () => {
    const definition = {
      description: "An invoice was paid.",
      schema: { type: "object", required: ["amount"] },
      example: { amount: 1 },
      deprecated: true,
    };
    const made = await put("invoice.paid", definition);
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe("/api/v1/event-types/invoice.paid");
    expect(made.json).toMatchObject({ name: "invoice.paid", ...definition, built_in: false });
    expect((await get("invoice.paid")).text).toBe(made.text);
    const replaced = await put("invoice.paid", {});
    expect(replaced.status).toBe(200);
    expect(replaced.json).toMatchObject({
      description: null,
      schema: null,
      example: null,
      deprecated: false,
    });
    expect(replaced.json.created_at).toBe(made.json.created_at);
    expect((await get("invoice.paid")).text).toBe(replaced.text);
  });

  it("changes and records nothing when it is repeated", async () => {
    const tenant = await api.addTenant();
    const definition = { name: "a", description: null, schema: { type: "object" }, example: null };
    const first = await put("a", definition, tenant.key);
    const again = await put("a", definition, tenant.key);
    expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
    expect(await audits(tenant.id)).toEqual([{ action: "event_type.create", target: "a" }]);
    await put("a", { ...definition, deprecated: true }, tenant.key);
    await remove("a", tenant.key);
    expect((await audits(tenant.id)).map(({ action }) => action)).toEqual([
      "event_type.create",
      "event_type.replace",
      "event_type.delete",
    ]);
  });

  it("tells in a dry run what would come of it, and stores nothing", async () => {
    const tenant = await api.addTenant();
    const dry = (name: string, json: unknown) => put(`${name}?dry_run=true`, json, tenant.key);
    const good = await dry("a", { schema: { type: "object" }, example: { n: 1 } });
    expect([good.status, good.json.schema]).toEqual([200, { type: "object" }]);
    expect(pointers(await dry("a", { schema: { type: "no" } }))).toEqual(["#/schema/type"]);
    expect(pointers(await dry("a", { schema: { required: ["b"] }, example: {} }))).toEqual(["#/example/b"]);
    expect((await dry("Ping", {})).status).toBe(409);
    expect((await get("a", tenant.key)).status).toBe(404);
    expect(await audits(tenant.id)).toEqual([]);
  });

  it("makes one type of many at once, and tells one of them that it is new", async () => {
    const { key } = await api.addTenant();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => put("parallel", { description: `number ${n}` }, key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 201]);
    const last = (await get("parallel", key)).json;
    expect(answers.map(({ json }) => json)).toContainEqual(last);
  });

  it("keeps numbers digit by digit", async () => {
    const schema = '{"maximum":12345678901234567890.10}';
    const body = `{"schema":${schema}, "example": {"n": 1e-7, "m": 12345678901234567891}}`;
    const made = await api.call("PUT", "/event-types/exact", { body });
    expect(new JsonSource(Buffer.from(made.text)).member("schema")).toBe(schema);
    expect(new JsonSource(Buffer.from(made.text)).member("example")).toBe(
      '{"n":1e-7,"m":12345678901234567891}',
    );
  });

  it.each([
    ["a", { schema: 5 }, ["#/schema"]],
    ["a", { schema: { type: "strin" } }, ["#/schema/type"]],
    ["a", { schema: { properties: { a: { minLength: -1 } } } }, ["#/schema/properties/a/minLength"]],
    ["a", { schema: { $ref: "https://example.com/schema" } }, ["#/schema/$ref"]],
    ["a", { schema: { pattern: "(?=a)" } }, ["#/schema/pattern"]],
    ["a", { schema: { type: "object", required: ["x"] }, example: {} }, ["#/example/x"]],
    ["a", { schema: { properties: { x: false } }, example: { x: 1 } }, ["#/example/x"]],
    ["a", { example: [] }, ["#/example"]],
    ["a", { example: { a: "\0" } }, ["#/example"]],
    ["a", { example: { a: "x".repeat(65_536) } }, ["#/example"]],
    ["a", { schema: { $comment: "x".repeat(65_536) } }, ["#/schema"]],
    ["a", { description: "x".repeat(1025) }, ["#/description"]],
    ["a", { other: 1 }, ["#/other"]],
    ["a", { name: "b" }, ["#/name"]],
    ["1a", {}, ["#/name"]],
    ["a..b", {}, ["#/name"]],
    [`a${"b".repeat(128)}`, {}, ["#/name"]],
    ["a%00b", {}, ["#/name"]],
  ])("refuses definition number %# with a pointer", async (name, json, expected) => {
    const answer = await put(name, json);
    expect([answer.status, answer.text]).toEqual([422, expect.any(String)]);
    expect(pointers(answer)).toEqual(expected);
  });
});

describe("the version of an event type", () => {
  const conditional = (method: "PUT" | "DELETE", headers: Record<string, string>) =>
    api.call(method, "/event-types/guarded", {
      headers,
      ...(method === "PUT" ? { json: { description: headers["if-match"] } } : {}),
    });
  const isOf = (version: number) => ({ "if-match": `"${version}"` });

  it("is its tag, and grows with every change but not with a repeat", async () => {
    const made = await put("tagged", { description: "one" });
    const { version } = made.json;
    expect((await get("tagged")).headers.get("etag")).toBe(`"${version}"`);
    expect((await put("tagged", { description: "one" })).json.version).toBe(version);
    expect((await put("tagged", { description: "two" })).json.version).toBe(version + 1);
    const listed = (await api.call("GET", "/event-types")).json.items;
    expect(listed).toContainEqual(expect.objectContaining({ name: "tagged", version: version + 1 }));
    const known = { "if-none-match": `"${version + 1}"` };
    expect((await api.call("GET", "/event-types/tagged", { headers: known })).status).toBe(304);
  });

  it("guards what is replaced and deleted, and never comes again", async () => {
    const { version } = (await put("guarded", {})).json;
    const stale = await conditional("PUT", isOf(version - 1));
    expect([stale.status, stale.json.current_version]).toEqual([412, version]);
    expect((await conditional("PUT", isOf(version))).json.version).toBe(version + 1);
    expect((await conditional("DELETE", isOf(version))).status).toBe(412);
    expect((await conditional("DELETE", isOf(version + 1))).status).toBe(204);
    for (const headers of [isOf(version + 1), { "if-match": "*" }])
      expect((await conditional("PUT", headers)).status).toBe(404);
    expect((await put("guarded", {})).json.version).toBeGreaterThan(version + 1);
    expect((await conditional("PUT", { "if-match": "nonsense" })).status).toBe(428);
  });

  it("lets If-None-Match: * define a new type alone, one of many at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        api.call("PUT", "/event-types/fresh", {
          json: { description: `${n}` },
          headers: { "if-none-match": "*" },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(412)]);
    const made = answers.find(({ status }) => status === 201);
    expect((await get("fresh")).text).toBe(made?.text);
  });
});

describe("built-in types", () => {
  it("can be read, and neither redefined nor deleted", async () => {
    for (const name of BUILT_IN_TYPES) {
      const read = await get(name);
      expect(read.json).toMatchObject({ name, built_in: true, schema: null, created_at: null });
      expect(read.json.description).toMatch(/^[A-Z].*\.$/);
    }
    const answers = [
      await put("OrderCreated", { schema: true }),
      await remove("OrderCreated"),
      await put("posthorn.anything", {}),
    ];
    for (const answer of answers)
      expect([answer.status, answer.json.type]).toEqual([
        409,
        `${api.server.origin}/problems/state-conflict`,
      ]);
  });
});

describe("DELETE /event-types/{name}", () => {
  it("takes a type out of the catalogue; there is none a second time", async () => {
    await put("gone", {});
    expect((await remove("gone")).status).toBe(204);
    expect([(await remove("gone")).status, (await get("gone")).status]).toEqual([404, 404]);
  });

  it.each(["never", "1a", "a%00b", "%F0%9F%98%80"])("knows no %s", async (name) => {
    expect([(await get(name)).status, (await remove(name)).status]).toEqual([404, 404]);
  });
});

describe("GET /event-types", () => {
  it("lists the tenant's own types, newest first, then the built-in ones, in pages both ways", async () => {
    const { key } = await api.addTenant();
    for (const name of ["b", "a", "c"]) await put(name, {}, key);
    const all = ["c", "a", "b", ...[...BUILT_IN_TYPES].sort().reverse()];
    expect(names(await api.call("GET", "/event-types", { key }))).toEqual(all);

    const seen: string[] = [];
    let page = await api.call("GET", "/event-types?limit=4", { key });
    for (; ; page = await api.call("GET", `/event-types?limit=4&after=${page.json.next_cursor}`, { key })) {
      seen.push(...names(page));
      if (!page.json.has_more) break;
    }
    expect(seen).toEqual(all);
    const back = await api.call("GET", `/event-types?limit=4&after=${page.json.prev_cursor}`, { key });
    expect(names(back)).toEqual(all.slice(-7, -3));
  });

  it("shows nothing of another tenant's, and lets each define a name for itself", async () => {
    const [one, other] = [await api.addTenant(), await api.addTenant()];
    await put("mine", { description: "one" }, one.key);
    expect((await get("mine", other.key)).status).toBe(404);
    expect((await remove("mine", other.key)).status).toBe(404);
    expect(names(await api.call("GET", "/event-types", { key: other.key }))).not.toContain("mine");
    expect((await put("mine", { description: "other" }, other.key)).status).toBe(201);
    expect((await get("mine", one.key)).json.description).toBe("one");
  });

  it("needs events:read, and changes need events:write", async () => {
    const reader = await api.addKey(api.tenant.id, ["events:read"]);
    const writer = await api.addKey(api.tenant.id, ["events:write"]);
    expect((await get("Ping", reader)).status).toBe(200);
    expect((await get("Ping", writer)).status).toBe(403);
    expect((await put("x", {}, reader)).status).toBe(403);
    expect((await remove("x", reader)).status).toBe(403);
    expect((await put("x", {}, writer)).status).toBe(201);
  });
});
