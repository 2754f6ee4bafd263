import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { MAX_ACTIVE_LINKS, MAX_LOGO_BYTES } from "#contracts/portal-links.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { parseRootKeys } from "#server/crypto/keyring.ts";
import { openServices } from "#server/runtime/services.ts";
import { createWebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { ENDPOINT, KIM, portalLinks, slugOf, tokenOf } from "./testing/portal-links.ts";

let api: TestApi;
let now: Date | undefined;
beforeAll(async () => {
  api = await openTestApi({ now: () => now ?? new Date() });
});
afterAll(() => api.close());

const { create, lastNote, statusWith } = portalLinks(() => api);
const DOT = "data:image/png;base64,iVBORw0KGgo=";

describe("a new link", () => {
  it("is shown once, lets its bearer in, and is noted without its token", async () => {
    const theme = { name: "Acme webhooks", accent_color: "#0A7D5C", logo_url: DOT };
    const frame_ancestors = ["https://app.example.com", "https://app.example.com", "http://localhost:5173"];
    const access = ["replay", "endpoints", "replay"];
    const made = await create({ ...KIM, access, theme, frame_ancestors, expires_in_seconds: 3600 });
    const { url, ...shown } = made.json;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1/portal-links/${shown.id}`]);
    expect(url).toMatch(new RegExp(`^${api.server.origin}/portal/posthorn_portal_[0-9A-Za-z]{49}$`));
    expect(shown).toEqual({
      id: expect.stringMatching(/^ptl_/),
      name: "Kim",
      access: ["endpoints", "replay"],
      theme: { name: "Acme webhooks", accent_color: "#0a7d5c", has_logo: true },
      frame_ancestors: ["https://app.example.com", "http://localhost:5173"],
      state: "active",
      created_by: expect.stringMatching(/^key_/),
      created_at: expect.any(String),
      expires_at: new Date(Date.parse(shown.created_at) + 3_600_000).toISOString(),
      revoked_at: null,
      last_used_at: null,
    });
    expect(await lastNote()).toMatchObject({ action: "portal_link.create", target: shown.id, after: shown });

    const mine = await api.call("GET", "/portal", { key: tokenOf(made.json) });
    expect(mine.json).toEqual({
      id: shown.id,
      tenant: { id: toId("tenant", api.tenant.id), name: "Acme" },
      theme: { ...theme, accent_color: "#0a7d5c" },
      access: ["endpoints", "replay"],
      scopes: [
        ...["portal:read", "webhooks:read", "deliveries:read", "events:read"],
        ...["webhooks:write", "deliveries:replay"],
      ],
      expires_at: shown.expires_at,
    });
    await api.services.keyUsage.write();
    const read = await api.call("GET", `/portal-links/${shown.id}`);
    expect(read.json).toEqual({ ...shown, last_used_at: expect.any(String) });
    const listed = await api.call("GET", "/portal-links?limit=1");
    expect(listed.json.items).toEqual([read.json]);
    expect((await api.call("GET", "/api-keys")).text).not.toContain("Kim");
  });

  it("is for looking alone, for a day, in no frame, unless it is said otherwise", async () => {
    const { json } = await create(KIM);
    expect(json).toMatchObject({
      access: [],
      frame_ancestors: [],
      theme: { name: null, accent_color: null, has_logo: false },
    });
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(86_400_000);
    const key = tokenOf(json);
    expect(await statusWith(key)).toBe(200);
    const refused = await api.call("POST", "/webhook-endpoints", { key, json: ENDPOINT });
    expect(slugOf(refused)).toEqual([403, "forbidden"]);
  });

  it.each([
    [{}, ["#/name"]],
    [{ ...KIM, access: ["endpoints", "keys"] }, ["#/access/1"]],
    [{ ...KIM, expires_in_seconds: 59 }, ["#/expires_in_seconds"]],
    [{ ...KIM, expires_in_seconds: 30 * 86_400 + 1 }, ["#/expires_in_seconds"]],
    [{ ...KIM, theme: { accent_color: "red;}body{display:none" } }, ["#/theme/accent_color"]],
    [{ ...KIM, theme: { logo_url: "https://evil.example.com/logo.png" } }, ["#/theme/logo_url"]],
    [{ ...KIM, theme: { logo_url: "data:image/svg+xml;base64,PHN2Zz4=" } }, ["#/theme/logo_url"]],
    [{ ...KIM, theme: { logo_url: `${DOT}" onerror="x` } }, ["#/theme/logo_url"]],
    [{ ...KIM, frame_ancestors: Array(11).fill("https://example.com") }, ["#/frame_ancestors"]],
    [{ ...KIM, frame_ancestors: ["https://example.com", "*"] }, ["#/frame_ancestors/1"]],
    [{ ...KIM, tenant: "x" }, ["#/tenant"]],
  ])("is refused when it is %j", async (json, pointers) => {
    const refused = await create(json);
    expect(slugOf(refused)).toEqual([422, "validation-error"]);
    expect(refused.json.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
  });

  it.each([
    ...["http://example.com", "https://*.example.com", "https://example.com/", "https://example.com/page"],
    ...["https://kim@example.com", "https://example.com; script-src *", "https://a.example.com,https://b"],
    ...[
      "https://EXAMPLE.com",
      "'self'",
      "https:",
      "data:",
      "https://example.com:0",
      "http://localhost.evil.com",
    ],
  ])("may not be framed by %s", async (origin) => {
    expect((await create({ ...KIM, frame_ancestors: [origin] })).status).toBe(422);
  });

  it("takes a logo of 64 KiB, and none that is larger", async () => {
    const logo = (bytes: number) => `data:image/webp;base64,${Buffer.alloc(bytes).toString("base64")}`;
    const with_ = (bytes: number) => create({ ...KIM, theme: { logo_url: logo(bytes) } });
    const made = await with_(MAX_LOGO_BYTES);
    expect(made.status).toBe(201);
    expect((await with_(MAX_LOGO_BYTES + 3)).status).toBe(422);
    const mine = await api.call("GET", "/portal", { key: tokenOf(made.json) });
    expect(mine.json.theme.logo_url).toBe(logo(MAX_LOGO_BYTES));
  });

  it("is one too many when the tenant has ten thousand", async () => {
    const tenant = await api.addTenant();
    await api.services.db.query(
      `insert into portal_links (tenant_id, id, token_hash, name, access, frame_ancestors, created_by, created_at, expires_at)
       select $1, gen_random_uuid(), int4send(n), 'x', '{}', '{}', 'cli', now(), now() + interval '1 hour'
         from generate_series(1, $2::int) as n`,
      [tenant.id, MAX_ACTIVE_LINKS],
    );
    expect(slugOf(await create(KIM, tenant.key))).toEqual([422, "validation-error"]);
  });
});

describe("the end of a link", () => {
  it("comes when it was said to come", async () => {
    const { id, url, expires_at } = (await create({ ...KIM, expires_in_seconds: 60 })).json;
    const before = new Date(Date.parse(expires_at) - 1);
    now = before;
    try {
      expect(await statusWith(tokenOf({ url }))).toBe(200);
      now = new Date(expires_at);
      expect(await statusWith(tokenOf({ url }))).toBe(401);
      expect((await api.call("GET", `/portal-links/${id}`)).json.state).toBe("expired");
    } finally {
      now = undefined;
    }
  });

  it("by revocation counts at once in every process, and is the same when it is repeated", async () => {
    const { services, close } = await openServices({
      role: "web",
      name: "other-web",
      databaseUrl: api.databaseUrl,
      rootKeys: parseRootKeys(api.encryptionKeys),
      allowPrivateTargets: [],
      logLevel: "silent",
    });
    const other = await createWebServer({ services });
    try {
      const { id, url } = (await create(KIM)).json;
      const headers = { authorization: `Bearer ${tokenOf({ url })}` };
      const there = async () => (await fetch(`${other.origin}/api/v1/portal`, { headers })).status;
      expect([await statusWith(tokenOf({ url })), await there()]).toEqual([200, 200]);
      expect((await api.call("DELETE", `/portal-links/${id}`)).status).toBe(204);
      expect([await statusWith(tokenOf({ url })), await there()]).toEqual([401, 401]);
      expect(await lastNote()).toMatchObject({ action: "portal_link.revoke", target: id });
      const noted = (await listAuditRows(api.services.db, api.tenant.id)).length;
      expect((await api.call("DELETE", `/portal-links/${id}`)).status).toBe(204);
      expect((await listAuditRows(api.services.db, api.tenant.id)).length).toBe(noted);
      const shown = (await api.call("GET", `/portal-links/${id}`)).json;
      expect(shown).toMatchObject({ state: "revoked", revoked_at: expect.any(String) });
    } finally {
      await other.close();
      await close();
    }
  });
});
