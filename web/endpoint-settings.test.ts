import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { headersIdentity, signingKeyIdentity } from "#server/crypto/identities.ts";
import { MASKED_VALUE } from "#server/domain/endpoint-headers.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const url = "https://example.com/webhooks";
const create = (json: object) =>
  api.call("POST", "/webhook-endpoints", { json: { url, event_types: ["*"], ...json } });
const sealedOf = async (id: string) => {
  const [row] = await api.services.db.query<{ headers: string | null; key: string | null }>(
    "select sealed_headers as headers, sealed_signing_key as key from webhook_endpoints where id = $1",
    [fromId("endpoint", id)],
  );
  return row ?? { headers: null, key: null };
};

describe("the members of a new endpoint", () => {
  it("are shown as they were given, but for what is secret", async () => {
    const settings = {
      description: "billing",
      filter: { total: { $gte: 100 }, $or: [{ status: "paid" }, { "items.sku": "A-1" }] },
      signature_format: "timestamped",
      rate_limit: 50,
      max_in_flight: 3,
      ordered: true,
      timeout_ms: 2_000,
      retry_policy: { max_attempts: 3, schedule_seconds: [1, 60] },
      metadata: { team: "billing" },
    };
    const { status, json } = await create({ ...settings, headers: { Authorization: "Bearer s3cr3t" } });
    expect(status).toBe(201);
    const read = await api.call("GET", `/webhook-endpoints/${json.id}`);
    expect(read.json).toMatchObject({ ...settings, headers: { Authorization: MASKED_VALUE } });
    expect(read.json.public_key).toBeNull();
  });

  it("may be null where a read shows null, and at their bounds", async () => {
    const bounds = [
      { description: null, filter: null, rate_limit: null, metadata: {}, headers: {} },
      { rate_limit: 1, max_in_flight: 1, timeout_ms: 1_000 },
      { rate_limit: 10_000, max_in_flight: 100, timeout_ms: 30_000 },
      { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, "v"])) },
      { headers: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${i}`, "v"])) },
      { filter: {} },
      { retry_policy: null },
      { retry_policy: { max_attempts: 15, schedule_seconds: Array(14).fill(86_400) } },
      { retry_policy: { max_attempts: 1, schedule_seconds: null } },
    ];
    for (const settings of bounds) expect((await create(settings)).status).toBe(201);
  });

  it.each<[object, string[]]>([
    [{ rate_limit: 0 }, ["#/rate_limit"]],
    [{ rate_limit: 10_001 }, ["#/rate_limit"]],
    [{ rate_limit: 1.5 }, ["#/rate_limit"]],
    [{ ordered: "yes" }, ["#/ordered"]],
    [{ asymmetric: 1 }, ["#/asymmetric"]],
    [{ timeout_ms: 30_001 }, ["#/timeout_ms"]],
    [{ max_in_flight: 0 }, ["#/max_in_flight"]],
    [{ retry_policy: { max_attempts: 16 } }, ["#/retry_policy/max_attempts"]],
    [{ retry_policy: { max_attempts: 0 } }, ["#/retry_policy/max_attempts"]],
    [{ retry_policy: { schedule_seconds: [] } }, ["#/retry_policy/schedule_seconds"]],
    [{ retry_policy: { schedule_seconds: [5, 86_401] } }, ["#/retry_policy/schedule_seconds/1"]],
    [{ retry_policy: { schedule_seconds: Array(15).fill(1) } }, ["#/retry_policy/schedule_seconds"]],
    [{ retry_policy: { pause: 1 } }, ["#/retry_policy/pause"]],
    [{ metadata: { a: 1 } }, ["#/metadata/a"]],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, "v"])) }, ["#/metadata"]],
    [{ headers: [] }, ["#/headers"]],
    [{ headers: { a: 1 } }, ["#/headers/a"]],
    [
      { headers: { host: "x", "Content-Type": "y", "x-a": "z" } },
      ["#/headers/host", "#/headers/Content-Type"],
    ],
    [{ headers: { "x-a": "1", "X-A": "2" } }, ["#/headers/X-A"]],
    [{ headers: { "a/b": "1" } }, ["#/headers/a~1b"]],
    [{ headers: { "x-a": MASKED_VALUE } }, ["#/headers/x-a"]],
    [{ headers: { "x-a": "a\r\nb: c" } }, ["#/headers/x-a"]],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, "v"])) }, ["#/headers"]],
    [{ filter: [] }, ["#/filter"]],
    [{ filter: { total: { $regex: ".*" } } }, ["#/filter/total/$regex"]],
    [{ public_key: "whpk_x" }, ["#/public_key"]],
    [{ id: "whe_x", version: 3 }, ["#/id", "#/version"]],
  ])("are refused with a pointer to each defect: %.60j", async (change, pointers) => {
    const answer = await create(change);
    expect(answer.json).toMatchObject({
      status: 422,
      type: `${api.server.origin}/problems/validation-error`,
    });
    const decoded = answer.json.errors.map((error: { pointer: string }) => decodeURIComponent(error.pointer));
    expect(decoded.sort()).toEqual(pointers.sort());
  });

  it("keep headers and key sealed to their row", async () => {
    const { json } = await create({ headers: { "x-token": "s3cr3t" }, asymmetric: true });
    const [tenantId, id] = [api.tenant.id, fromId("endpoint", json.id) ?? ""];
    const { headers, key } = await sealedOf(json.id);
    const { keyring } = api.services;
    expect(headers).not.toContain("s3cr3t");
    expect(JSON.parse(keyring.open(headers ?? "", headersIdentity(tenantId, id)))).toEqual({
      "x-token": "s3cr3t",
    });
    expect(keyring.open(key ?? "", signingKeyIdentity(tenantId, id))).toMatch(/^whsk_/);
    expect(() => keyring.open(headers ?? "", headersIdentity(tenantId, json.id))).toThrow();
    expect(json.public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(json.asymmetric).toBe(true);
    const audit = await api.services.db.query("select before, after from audit_log where target = $1", [
      json.id,
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/s3cr3t|whsk_|whsec_/);
  });

  it("must not lead back to the service itself", async () => {
    const answer = await create({ url: `${api.server.origin}/api/v1/events` });
    expect(answer.json).toMatchObject({
      status: 422,
      type: `${api.server.origin}/problems/endpoint-url-rejected`,
      errors: [{ pointer: "#/url" }],
    });
  });
});

describe("the limit of a hundred endpoints", () => {
  it("counts those that are not deleted", async () => {
    const { key } = await api.addTenant();
    const add = () => api.call("POST", "/webhook-endpoints", { key, json: { url, event_types: ["*"] } });
    const made = await Promise.all(Array.from({ length: 100 }, add));
    expect((await add()).status).toBe(422);
    await api.call("DELETE", `/webhook-endpoints/${made[0]?.json.id}`, { key });
    expect((await add()).status).toBe(201);
    expect((await add()).status).toBe(422);
  });
});
