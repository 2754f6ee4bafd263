import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressPolicy } from "#server/domain/address-policy.ts";
import {
  HOSTILE_URLS,
  IMPOSSIBLE_HOSTS,
  LOCAL_NAMES,
  LOOPBACK_SPELLINGS,
  LOOPBACK_V6,
  MAPPED_LOOPBACK,
  OTHER_LITERALS,
  PUBLIC_LITERALS,
} from "#server/domain/testing-targets.ts";
import { createWebServer, type WebServer } from "./server.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

/** As long as a URL may be; with a path it is one character too long. */
const LONG = `https://example.com/${"x".repeat(2028)}`;

const HOSTS = [
  ...LOOPBACK_SPELLINGS,
  ...MAPPED_LOOPBACK,
  ...LOOPBACK_V6,
  ...OTHER_LITERALS,
  ...PUBLIC_LITERALS,
  ...IMPOSSIBLE_HOSTS,
  ...LOCAL_NAMES,
];
const OTHERS = [...HOSTILE_URLS, `${LONG}x`, `https://example.com/${"ü".repeat(400)}`];

let api: TestApi;
let strict: WebServer;
beforeAll(async () => {
  api = await openTestApi();
  const services = { ...api.services, addressPolicy: addressPolicy({ allow: [] }) };
  strict = await createWebServer({ services });
});
afterAll(async () => {
  await strict?.close(500);
  await api?.close();
});

async function call(origin: string, method: string, path: string, json?: object, etag = "") {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${api.tenant.key}`,
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      ...(etag ? { "if-match": etag } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get("etag") ?? "",
    text,
    json: text && JSON.parse(text),
  };
}

/** What a call that must be refused came to, when that is not as it should be. */
function slipOf(url: string, { status, json, text }: Awaited<ReturnType<typeof call>>): string | null {
  const isRefused =
    status === 422 &&
    json.type.endsWith("/problems/endpoint-url-rejected") &&
    json.errors.length === 1 &&
    json.errors[0].pointer === "#/url";
  return isRefused ? null : `${JSON.stringify(url.slice(0, 80))}: ${status} ${text.slice(0, 120)}`;
}

describe("a target that is not public, however it is spelt", () => {
  it("is refused at registration, and nothing is stored", async () => {
    const urls = HOSTS.flatMap((host) => [
      `https://${host}/`,
      `https://${host}:8443/x?y`,
      `http://${host}:8080/`,
    ]);
    const slips = [];
    for (const url of [...OTHERS, ...urls]) {
      const answer = await call(strict.origin, "POST", "/webhook-endpoints", { url, event_types: ["*"] });
      slips.push(slipOf(url, answer));
    }
    expect(slips.filter(Boolean)).toEqual([]);
    expect((await call(strict.origin, "GET", "/webhook-endpoints")).json.items).toEqual([]);
  });

  it("is refused as the new URL of an endpoint, which keeps its own", async () => {
    const made = await call(strict.origin, "POST", "/webhook-endpoints", { url: LONG, event_types: ["*"] });
    expect(made.status).toBe(201);
    const path = `/webhook-endpoints/${made.json.id}`;
    const slips = [];
    for (const url of [...OTHERS, ...HOSTS.map((host) => `https://${host}/`)])
      slips.push(slipOf(url, await call(strict.origin, "PATCH", path, { url }, made.etag)));
    expect(slips.filter(Boolean)).toEqual([]);
    expect((await call(strict.origin, "GET", path)).json).toMatchObject({
      url: LONG,
      version: made.json.version,
    });
  });
});

describe("where 127.0.0.0/8 is open", () => {
  it("it is reached under each of its spellings, by http too", async () => {
    const { key } = await api.addTenant();
    const wanted = [
      ...LOOPBACK_SPELLINGS.map((host) => [host, "127.0.0.1"]),
      ...MAPPED_LOOPBACK.map((host) => [host, "[::ffff:7f00:1]"]),
    ];
    for (const [host, parsed] of wanted) {
      const json = { url: `http://${host}:8080/x`, event_types: ["*"] };
      const answer = await api.call("POST", "/webhook-endpoints", { key, json });
      expect([host, answer.status, answer.json.url]).toEqual([host, 201, `http://${parsed}:8080/x`]);
    }
  });

  it("nothing else is", async () => {
    const isLocalhost = (name: string) => /(^|\.)localhost$/.test(new URL(`http://${name}/`).hostname);
    const names = LOCAL_NAMES.filter((name) => !isLocalhost(name));
    const hosts = [...LOOPBACK_V6, ...OTHER_LITERALS, ...PUBLIC_LITERALS, ...IMPOSSIBLE_HOSTS, ...names];
    const slips = [];
    const urls = hosts.flatMap((host) => [`https://${host}/`, `http://${host}:8080/`]);
    for (const url of [...urls, ...HOSTILE_URLS]) {
      const json = { url, event_types: ["*"] };
      slips.push(slipOf(url, await call(api.server.origin, "POST", "/webhook-endpoints", json)));
    }
    expect(slips.filter(Boolean)).toEqual([]);
  });
});
