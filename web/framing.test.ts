import type { IncomingMessage, ServerResponse } from "node:http";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proxy } from "../proxy.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

/** What Next makes of a page's headers, by the proxy that it runs before each. */
function next(request: IncomingMessage, response: ServerResponse): void {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  const { headers: made } = proxy(
    new NextRequest(`http://console${request.url}`, { headers: headers as [string, string][] }),
  );
  response.writeHead(200, { "content-security-policy": made.get("content-security-policy") ?? "" }).end();
}

let api: TestApi;
let now: Date | undefined;
beforeAll(async () => {
  api = await openTestApi({ now: () => now ?? new Date(), next });
});
afterAll(() => api.close());

async function makeLink(frame_ancestors: string[]): Promise<{ id: string; path: string; expiresAt: string }> {
  const { json } = await api.call("POST", "/portal-links", { json: { name: "Kim", frame_ancestors } });
  return { id: json.id, path: new URL(json.url).pathname, expiresAt: json.expires_at };
}

/** Who may frame a page: by its policy, and by what browsers of old go by. */
async function framing(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(api.server.origin + path, { headers });
  const policy = answer.headers.get("content-security-policy") ?? "";
  return [/frame-ancestors ([^;]*)/.exec(policy)?.[1], answer.headers.get("x-frame-options")];
}

const NOBODY = ["'none'", "DENY"];

it("lets the origins of a link frame its pages, and nobody else", async () => {
  const origins = ["https://app.example.com", "http://localhost:5173"];
  const { path } = await makeLink(origins);
  const theirs = [origins.join(" "), null];
  expect(await framing(path)).toEqual(theirs);
  expect(await framing(`${path}/deliveries?status=failed`)).toEqual(theirs);
  const other = await makeLink(["https://other.example.com"]);
  expect(await framing(other.path)).toEqual(["https://other.example.com", null]);
});

it("lets nobody frame a page of a link without origins, of none, or of one that has ended", async () => {
  expect(await framing((await makeLink([])).path)).toEqual(NOBODY);
  const { id, path, expiresAt } = await makeLink(["https://app.example.com"]);
  for (const wrong of ["/portal/nonsense", "/portal/", `${path}x`, path.toUpperCase()])
    expect([wrong, ...(await framing(wrong))].slice(0, 2)).toEqual([wrong, "'none'"]);
  expect(await framing("/portal/nonsense")).toEqual(NOBODY);

  now = new Date(expiresAt);
  expect(await framing(path)).toEqual(NOBODY);
  now = undefined;
  expect(await framing(path)).toEqual(["https://app.example.com", null]);
  await api.call("DELETE", `/portal-links/${id}`);
  expect(await framing(path)).toEqual(NOBODY);
});

it("takes no origin from the request itself, and lets nobody frame any other page", async () => {
  const claim = { "X-Posthorn-Framed-By": "https://evil.example.com" };
  const { path } = await makeLink(["https://app.example.com"]);
  expect(await framing(path, claim)).toEqual(["https://app.example.com", null]);
  for (const page of ["/deliveries", "/", "/sign-in", `/x${path}`, `/deliveries?${path}`, "/portal-links"])
    expect([page, (await framing(page, claim))[0]]).toEqual([page, "'none'"]);
  expect(await framing("/portal/nonsense", claim)).toEqual(NOBODY);
});
