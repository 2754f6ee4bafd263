import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { headersIdentity } from "#server/crypto/identities.ts";
import { MASKED_VALUE } from "#server/domain/endpoint-headers.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const url = "https://example.com/webhooks";
const create = async (json: object = {}) =>
  (await api.call("POST", "/webhook-endpoints", { json: { url, event_types: ["*"], ...json } })).json;
const patch = (id: string, version: number | string, json: unknown, headers: Record<string, string> = {}) =>
  api.call("PATCH", `/webhook-endpoints/${id}`, {
    json,
    headers: { "if-match": `"${version}"`, "content-type": "application/merge-patch+json", ...headers },
  });
const read = async (id: string) => (await api.call("GET", `/webhook-endpoints/${id}`)).json;
const heldHeaders = async (id: string) => {
  const uuid = fromId("endpoint", id) ?? "";
  const [row] = await api.services.db.query<{ sealed: string }>(
    "select sealed_headers as sealed from webhook_endpoints where id = $1",
    [uuid],
  );
  return JSON.parse(api.services.keyring.open(row?.sealed ?? "", headersIdentity(api.tenant.id, uuid)));
};

describe("PATCH /webhook-endpoints/{id}", () => {
  it("changes what it names and nothing else, with a new version and its ETag", async () => {
    const { secret: _s, secret_key_id: _k, ...made } = await create({ description: "old", rate_limit: 5 });
    const answer = await patch(made.id, 1, { description: "new", event_types: ["Order*"] });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe('"2"');
    const { updated_at } = answer.json;
    expect(answer.json).toEqual({
      ...made,
      description: "new",
      event_types: ["Order*"],
      version: 2,
      updated_at,
    });
    expect(await read(made.id)).toEqual(answer.json);
  });

  it("takes null as the way back to a member's default", async () => {
    const { id } = await create({
      ...{
        description: "d",
        filter: { a: 1 },
        signature_format: "sha256",
        headers: { a: "1" },
        rate_limit: 5,
      },
      ...{ max_in_flight: 3, ordered: true, timeout_ms: 2_000, asymmetric: true, metadata: { a: "1" } },
    });
    const names = ["description", "filter", "signature_format", "headers", "rate_limit", "max_in_flight"];
    names.push("ordered", "timeout_ms", "asymmetric", "metadata");
    const answer = await patch(id, 1, Object.fromEntries(names.map((name) => [name, null])));
    expect(answer.json).toMatchObject({
      ...{ description: null, filter: null, signature_format: "hex", headers: {}, rate_limit: null },
      ...{ max_in_flight: 10, ordered: false, timeout_ms: 15_000, asymmetric: false, metadata: {} },
      ...{ public_key: null, version: 2 },
    });
  });

  it("changes one member of the retry policy, and takes null as the usual schedule", async () => {
    const { id } = await create({ retry_policy: { max_attempts: 4, schedule_seconds: [5, 60] } });
    const { json } = await patch(id, 1, { retry_policy: { max_attempts: null } });
    expect(json.retry_policy).toEqual({ max_attempts: null, schedule_seconds: [5, 60] });
    expect((await patch(id, 2, { retry_policy: { max_attempts: 16 } })).status).toBe(422);
    expect((await patch(id, 2, { retry_policy: null })).json).toMatchObject({
      retry_policy: null,
      version: 3,
    });
  });

  it("merges metadata and filter member by member", async () => {
    const { id } = await create({ metadata: { a: "1", b: "2" }, filter: { x: 1, y: { $gt: 1, $lt: 9 } } });
    const { json } = await patch(id, 1, {
      metadata: { a: null, c: "3" },
      filter: { y: { $lt: null }, z: "s" },
    });
    expect(json.metadata).toEqual({ b: "2", c: "3" });
    expect(json.filter).toEqual({ x: 1, y: { $gt: 1 }, z: "s" });
  });

  it("counts from the next event on: its types and its filter decide what it gets", async () => {
    const { id } = await create({ event_types: ["invoice.*"] });
    const publish = (type: string, total: number) =>
      api.call("POST", "/events", { json: { type, data: { total } } });
    const got = async () =>
      (await api.call("GET", `/deliveries?endpoint_id=${id}`)).json.items.map(
        (delivery: { event_type: string }) => delivery.event_type,
      );
    await publish("invoice.paid", 1);
    await patch(id, 1, { event_types: ["order.*"], filter: { total: { $gte: 100 } } });
    await publish("invoice.paid", 100);
    await publish("order.paid", 99);
    await publish("order.paid", 100);
    expect(await got()).toEqual(["order.paid", "invoice.paid"]);
    await patch(id, 2, { filter: null });
    await publish("order.sent", 1);
    expect(await got()).toEqual(["order.sent", "order.paid", "invoice.paid"]);
  });

  it("takes one header away, gives another a new value, and leaves the rest sealed as it was", async () => {
    const { id } = await create({ headers: { "x-a": "1", "x-b": "2", "x-c": "3" } });
    const { json } = await patch(id, 1, { headers: { "x-a": null, "x-b": "two", "x-d": "4" } });
    expect(json.headers).toEqual({ "x-b": MASKED_VALUE, "x-c": MASKED_VALUE, "x-d": MASKED_VALUE });
    expect(await heldHeaders(id)).toEqual({ "x-b": "two", "x-c": "3", "x-d": "4" });
    const [entry] = await api.services.db.query(
      "select after from audit_log where target = $1 and action = 'webhook_endpoint.update'",
      [id],
    );
    expect(entry?.after).toMatchObject({ replaced_headers: ["x-b"] });
    expect(JSON.stringify(entry)).not.toContain("two");
  });

  it("understands what a read showed as what it was", async () => {
    const { id } = await create({ headers: { "x-a": "1" }, asymmetric: true });
    const { headers, metadata, event_types, asymmetric, filter } = await read(id);
    const same = await patch(id, 1, { headers, metadata, event_types, asymmetric, filter });
    expect([same.status, same.json.version]).toEqual([200, 1]);
    expect((await patch(id, 1, { headers, description: "new" })).json.version).toBe(2);
    expect(await heldHeaders(id)).toEqual({ "x-a": "1" });
  });

  it("bumps nothing, tells nobody and keeps the time when nothing changes", async () => {
    const { id, updated_at } = await create({ description: "same", headers: { "x-a": "1" } });
    for (const json of [{}, { description: "same" }, { url }, { headers: { "x-a": "1", "x-b": null } }]) {
      const answer = await patch(id, 1, json);
      expect([answer.status, answer.headers.get("etag"), answer.json.updated_at]).toEqual([
        ...[200, '"1"', updated_at],
      ]);
    }
    const entries = await api.services.db.query("select 1 from audit_log where target = $1", [id]);
    expect(entries).toHaveLength(1);
  });

  it("makes a key pair when it is switched on, keeps it, and makes another when it is switched on again", async () => {
    const { id } = await create();
    const first = (await patch(id, 1, { asymmetric: true })).json.public_key;
    expect(first).toMatch(/^whpk_/);
    expect((await patch(id, 2, { description: "x", asymmetric: true })).json.public_key).toBe(first);
    expect((await patch(id, 3, { asymmetric: false })).json.public_key).toBeNull();
    const again = (await patch(id, 4, { asymmetric: true })).json.public_key;
    expect(again).toMatch(/^whpk_/);
    expect(again).not.toBe(first);
  });

  it.each([
    [{ url: "http://example.com" }, "#/url", "endpoint-url-rejected"],
    [{ url: null }, "#/url", "endpoint-url-rejected"],
    [{ event_types: null }, "#/event_types", "validation-error"],
    [{ event_types: ["a*b"] }, "#/event_types/0", "validation-error"],
    [{ id: "whe_1" }, "#/id", "validation-error"],
    [{ status: "disabled" }, "#/status", "validation-error"],
    [{ disabled_reason: "x" }, "#/disabled_reason", "validation-error"],
    [{ version: 2 }, "#/version", "validation-error"],
    [{ created_at: "2026-11-21T09:30:00.000Z" }, "#/created_at", "validation-error"],
    [{ updated_at: "2026-11-21T09:30:00.000Z" }, "#/updated_at", "validation-error"],
    [{ public_key: null }, "#/public_key", "validation-error"],
    [{ secret: "whsec_x" }, "#/secret", "validation-error"],
    [{ rate_limit: 0 }, "#/rate_limit", "validation-error"],
    [{ headers: { "X-HELD": "2" } }, "#/headers/X-HELD", "validation-error"],
    [{ headers: { via: "x" } }, "#/headers/via", "validation-error"],
    [{ filter: { a: { $nope: 1 } } }, "#/filter/a/$nope", "validation-error"],
    [{ metadata: { x: 1 } }, "#/metadata/x", "validation-error"],
  ])("refuses %.60j and changes nothing", async (json, pointer, slug) => {
    const made = await create({ headers: { "x-held": "1" } });
    const answer = await patch(made.id, 1, json);
    expect(answer.json).toMatchObject({ status: 422, type: `${api.server.origin}/problems/${slug}` });
    const pointers = answer.json.errors.map((error: { pointer: string }) =>
      decodeURIComponent(error.pointer),
    );
    expect(pointers).toEqual([pointer]);
    expect((await read(made.id)).version).toBe(1);
  });

  it("holds the bounds of what it makes, not only of what it sends", async () => {
    const many = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, "v"]));
    const { id } = await create({ metadata: many(50, "a"), headers: many(20, "x-") });
    const answers = [
      await patch(id, 1, { metadata: { b: "1" } }),
      await patch(id, 1, { headers: { y: "1" } }),
    ];
    expect(answers.map(({ json }) => json.errors[0].pointer)).toEqual(["#/metadata", "#/headers"]);
  });
});

describe("the precondition of a PATCH", () => {
  it.each([[undefined], ["*"], ["1"], ['"x"']])("is required: If-Match %s is 428", async (tag) => {
    const { id } = await create();
    const answer = await api.call("PATCH", `/webhook-endpoints/${id}`, {
      json: { description: "x" },
      headers: tag === undefined ? {} : { "if-match": tag },
    });
    expect(answer.status).toBe(428);
  });

  it("is 412 with the version there is when it is stale, and comes before the content", async () => {
    const { id } = await create();
    await patch(id, 1, { description: "x" });
    const answer = await patch(id, 1, { nope: true });
    expect(answer.json).toMatchObject({ status: 412, current_version: 2 });
    expect((await patch(id, 2, {}, { "if-match": 'W/"2"' })).status).toBe(412);
  });

  it("lets one of many through", async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => patch(id, 1, { description: `${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(29).fill(412)]);
  });

  it("other media types are 415 and name the patch format", async () => {
    const { id } = await create();
    const answer = await patch(id, 1, {}, { "content-type": "application/json-patch+json" });
    expect([answer.status, answer.headers.get("accept-patch")]).toEqual([
      415,
      "application/merge-patch+json",
    ]);
    expect((await patch(id, 1, {}, { "content-type": "application/json" })).status).toBe(200);
  });
});
