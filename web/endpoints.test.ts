import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { secretIdentity } from "#server/crypto/identities.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const url = "https://example.com/webhooks";
const create = (json: object, key?: string) =>
  api.call("POST", "/webhook-endpoints", {
    json: { url, event_types: ["*"], ...json },
    ...(key ? { key } : {}),
  });

describe("POST /webhook-endpoints", () => {
  it("answers 201 with Location, ETag, the defaults and a secret", async () => {
    const answer = await create({});
    expect(answer.status).toBe(201);
    const { id, secret, created_at: _at, updated_at: _updated, ...rest } = answer.json;
    expect(rest).toEqual({
      url,
      description: null,
      event_types: ["*"],
      filter: null,
      signature_format: "hex",
      headers: {},
      rate_limit: null,
      ordered: false,
      asymmetric: false,
      public_key: null,
      metadata: {},
      status: "enabled",
      disabled_reason: null,
      timeout_ms: 15_000,
      retry_policy: null,
      max_in_flight: 10,
      version: 1,
      secret_key_id: "v1",
    });
    expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
    expect(answer.headers.get("location")).toBe(`/api/v1/webhook-endpoints/${id}`);
    expect(answer.headers.get("etag")).toBe('"1"');
  });

  it("shows the secret this once, and keeps it sealed to its row", async () => {
    const { json } = await create({});
    const read = await api.call("GET", `/webhook-endpoints/${json.id}`);
    const list = await api.call("GET", "/webhook-endpoints");
    for (const text of [read.text, list.text]) expect(text).not.toMatch(/secret|whsec_/);
    const endpointId = fromId("endpoint", json.id) ?? "";
    const [row] = await api.services.db.query<{ sealed: string; kid: string }>(
      "select sealed, kid from endpoint_secrets where tenant_id = $1 and endpoint_id = $2",
      [api.tenant.id, endpointId],
    );
    const { keyring } = api.services;
    expect(keyring.open(row?.sealed ?? "", secretIdentity(api.tenant.id, endpointId, "v1"))).toBe(
      json.secret,
    );
    expect(() => keyring.open(row?.sealed ?? "", secretIdentity(api.tenant.id, endpointId, "v2"))).toThrow();
  });

  it("takes a secret of the client's", async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    expect((await create({ secret })).json.secret).toBe(secret);
  });

  it.each<[object, string, string]>([
    [{ url: "http://example.com/x" }, "#/url", "endpoint-url-rejected"],
    [{ url: "https://10.0.0.1/x" }, "#/url", "endpoint-url-rejected"],
    [{ url: "https://user:pass@example.com" }, "#/url", "endpoint-url-rejected"],
    [{ url: "not a url" }, "#/url", "endpoint-url-rejected"],
    [{ url: "" }, "#/url", "endpoint-url-rejected"],
    [{ url: `https://example.com/${"x".repeat(2048)}` }, "#/url", "endpoint-url-rejected"],
    [{ url: 7 }, "#/url", "endpoint-url-rejected"],
    [{ secret: "whsec_short" }, "#/secret", "validation-error"],
    [{ event_types: [] }, "#/event_types", "validation-error"],
    [{ event_types: ["a*b"] }, "#/event_types/0", "validation-error"],
    [{ event_types: ["*", ""] }, "#/event_types/1", "validation-error"],
    [{ timeout_ms: 999 }, "#/timeout_ms", "validation-error"],
    [{ max_in_flight: 101 }, "#/max_in_flight", "validation-error"],
    [{ signature_format: "md5" }, "#/signature_format", "validation-error"],
    [{ description: "nul\0" }, "#/description", "validation-error"],
    [{ status: "disabled" }, "#/status", "validation-error"],
  ])("refuses %.80j", async (change, pointer, slug) => {
    const answer = await create(change);
    expect(answer.json).toMatchObject({ status: 422, type: `${api.server.origin}/problems/${slug}` });
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  it("takes plain http where a private range was opened, and the same URL twice", async () => {
    const made = await Promise.all([1, 2].map(() => create({ url: "http://127.0.0.1:9999/x" })));
    expect(made.map((answer) => answer.status)).toEqual([201, 201]);
  });

  it("takes a hundred and not one more, however many come at once", async () => {
    const { key } = await api.addTenant();
    const answers = await Promise.all(Array.from({ length: 104 }, () => create({}, key)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(100);
    const refused = answers.filter((answer) => answer.status === 422);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.json.errors[0].detail).toContain("at most 100");
  });

  it("is on the record, without the secret, in a chain that shows every change", async () => {
    const tenant = await api.addTenant();
    const [first] = await Promise.all([
      create({}, tenant.key),
      create({}, tenant.key),
      create({}, tenant.key),
    ]);
    const { db } = api.services;
    const rows = await db.query("select * from audit_log where tenant_id = $1 order by number", [tenant.id]);
    expect(rows.map(({ number, role, action }) => [number, role, action])).toEqual(
      ["1", "2", "3"].map((number) => [number, "api_key", "webhook_endpoint.create"]),
    );
    expect(JSON.stringify(rows)).toContain(first?.json.id);
    expect(JSON.stringify(rows)).not.toContain("whsec_");
    expect(await verifyAudit(db, tenant.id)).toBeNull();

    await expect(db.query("update audit_log set actor = 'x'")).rejects.toThrow("append-only");
    await db.query("alter table audit_log disable trigger audit_log_append_only");
    await db.query("update audit_log set actor = 'x' where tenant_id = $1 and number = 2", [tenant.id]);
    expect(await verifyAudit(db, tenant.id)).toBe("2");
    await db.query("delete from audit_log where tenant_id = $1 and number = 2", [tenant.id]);
    expect(await verifyAudit(db, tenant.id)).toBe("2");
    await db.query("alter table audit_log enable trigger audit_log_append_only");
  });
});

describe("GET /webhook-endpoints", () => {
  it("reads one with its ETag, and 304 to who has it", async () => {
    const { json } = await create({ description: "mine" });
    const read = await api.call("GET", `/webhook-endpoints/${json.id}`);
    expect(read.json).toMatchObject({ id: json.id, description: "mine" });
    expect(read.headers.get("etag")).toBe('"1"');
    const again = await api.call("GET", `/webhook-endpoints/${json.id}`, {
      headers: { "if-none-match": '"1"' },
    });
    expect(again.status).toBe(304);
  });

  it("lists them newest first, in pages", async () => {
    const { key } = await api.addTenant();
    const made: string[] = [];
    for (let n = 0; n < 3; n++) made.unshift((await create({}, key)).json.id);
    const first = await api.call("GET", "/webhook-endpoints?limit=2", { key });
    const second = await api.call("GET", `/webhook-endpoints?limit=2&after=${first.json.next_cursor}`, {
      key,
    });
    const ids = [first, second].flatMap(({ json }) => json.items.map((item: { id: string }) => item.id));
    expect(ids).toEqual(made);
  });
});
