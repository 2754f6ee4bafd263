import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEMS } from "#contracts/problems.ts";
import type { Answer, TestApi } from "./test-support.ts";
import { calls, fillPath } from "./testing/api-calls.ts";
import { RawClient } from "./testing/raw-client.ts";
import { noteKeyUse, rightRequest, sendRight } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await openStaffApi();
  client = new RawClient(api.server.port);
});
afterAll(async () => {
  client.close();
  await api.close();
});

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];
const paths = [...Map.groupBy(calls, ({ operation }) => operation.path)].map(([path, ofPath]) => {
  const own = ofPath.map(({ operation }) => String(operation.method));
  const methods = own.includes("GET") ? [...own, "HEAD"] : own;
  return {
    path,
    methods,
    allow: [...methods, "OPTIONS"].sort().join(", "),
    at: fillPath(path, anything(path)),
  };
});

function anything(path: string): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "anything"]));
}

async function ask(method: string, path: string) {
  const answer = await client.send({ method, target: `/api/v1${path}` });
  const slug = answer.text && JSON.parse(answer.text).type.split("/").at(-1);
  return { status: answer.status, slug, allow: answer.headers.get("allow"), text: answer.text };
}

describe.each(paths)("$path, to somebody who has shown no key,", ({ methods, allow, at }) => {
  it("tells its methods by OPTIONS", async () => {
    expect(await ask("OPTIONS", at)).toEqual({ status: 204, slug: "", allow, text: "" });
  });

  it("answers 405 with Allow to every other method, TRACE too", async () => {
    for (const method of METHODS.filter((name) => !methods.includes(name))) {
      const { status, allow: told, slug } = await ask(method, at);
      const isHead = method === "HEAD";
      expect([method, status, told, slug]).toEqual([method, 405, allow, isHead ? "" : "method-not-allowed"]);
    }
  });

  it("asks for one with every method of its own", async () => {
    for (const method of methods) expect([method, (await ask(method, at)).status]).toEqual([method, 401]);
  });

  it("is not there with something more after it", async () => {
    for (const method of ["GET", "POST", "OPTIONS"])
      expect(await ask(method, `${at}/nothing/at/all`)).toMatchObject({ status: 404, slug: "not-found" });
  });
});

describe("a path that is none", () => {
  it.each([
    "",
    "/",
    "/nothing",
    "//orders",
    "/orders/",
    "/Orders",
    "/../v1/orders",
    "/%6frders%2F",
    "/orders%00",
  ])("answers 404 at %j, whatever the method and the credentials", async (path) => {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS", "TRACE"])
      expect(await ask(method, path)).toMatchObject({ status: 404, slug: "not-found" });
    expect((await api.call("GET", "/nothing")).status).toBe(404);
  });
});

/** The headers of an answer but for those that are its own. */
function headersOf({ headers }: Answer): Record<string, string> {
  const own = ["date", "x-request-id", "ratelimit", "connection", "keep-alive"];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

const reads = calls.filter(({ operation }) => operation.method === "GET");

describe.each(reads)("$name", (call) => {
  it("is answered to HEAD with the same headers and without the body", async () => {
    const right = await rightRequest(api, call);
    await noteKeyUse(right);
    const [get, head] = [await sendRight(right), await sendRight(right, { method: "HEAD" })];
    expect([get.status, head.status, head.text]).toEqual([200, 200, ""]);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(headersOf(get)["content-length"]).toBe(String(Buffer.byteLength(get.text)));
    expect(get.headers.get("vary")).toMatch(/^Authorization, Cookie, Posthorn-Tenant/);
  });
});

describe.each(reads.filter(({ operation }) => !operation.versioned))("$name", (call) => {
  it("is not to be kept, and has no tag", async () => {
    const { headers } = await sendRight(await rightRequest(api, call));
    expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
  });
});

describe.each(reads.filter(({ operation }) => operation.versioned))("$name", (call) => {
  it("has a strong tag, and is 304 to whoever has that already", async () => {
    const right = await rightRequest(api, call);
    const first = await sendRight(right);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toBe(`"${first.json.version}"`);
    expect(first.headers.get("cache-control")).toBe("private, no-cache, no-transform");
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`, "*"])
      for (const method of ["GET", "HEAD"]) {
        const again = await sendRight(right, { method, headers: { "if-none-match": known } });
        expect([again.status, again.text, again.headers.get("etag")], known).toEqual([304, "", etag]);
        expect(again.headers.get("cache-control")).toBe("private, no-cache, no-transform");
        expect(again.headers.get("vary")).toBe(first.headers.get("vary"));
      }
    for (const other of ['"0"', "nonsense", ""])
      expect((await sendRight(right, { headers: { "if-none-match": other } })).status, other).toBe(200);
  });
});

describe("what no call is guarded by", () => {
  it("If-Match on what has no version", async () => {
    const headers = { "if-match": "nonsense" };
    const json = { type: "invoice.paid", data: {} };
    expect((await api.call("POST", "/events", { json, headers })).status).toBe(201);
  });

  it("an expectation that nobody knows (RFC 9110 §10.1.1)", async () => {
    const head = [["Expect", "the-unexpected"]] as const;
    const { status, headers } = await client.send({ method: "GET", target: "/api/v1/orders", headers: head });
    expect([status, headers.get("content-type")]).toEqual([401, "application/problem+json"]);
  });
});

it("gives an id to every answer, beside the API too", async () => {
  const places = [
    "/healthz",
    "/readyz",
    "/docs",
    "/problems",
    "/problems/nothing",
    "/nothing",
    "/api/v1",
    "/api/v2/orders",
  ];
  const ids = await Promise.all(
    places.map(async (path) => (await fetch(api.server.origin + path)).headers.get("x-request-id")),
  );
  for (const [at, id] of ids.entries())
    expect(id, places[at]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(places.length);
});

it("gives every problem type a page, which its URI leads to", async () => {
  for (const slug of Object.keys(PROBLEMS)) {
    const page = await fetch(`${api.server.origin}/problems/${slug}`);
    expect([slug, page.status]).toEqual([slug, 200]);
  }
});
