import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ bodyTimeoutMs: 300 });
});
afterAll(() => api.close());

const order = { CustomerId: "c", Total: 1, Currency: "EUR" };

function expectProblem(answer: Answer, status: number, slug: string): void {
  expect([answer.status, answer.json?.type]).toEqual([status, `${api.server.origin}/problems/${slug}`]);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.json.status).toBe(status);
  expect(answer.json.instance).toBe(`urn:uuid:${answer.headers.get("x-request-id")}`);
}

/** Sends raw bytes and gives everything that comes back until the connection ends. */
async function raw(...parts: string[]): Promise<string> {
  const socket = connect(api.server.port, "127.0.0.1");
  for (const part of parts) socket.write(part);
  return readText(socket);
}

describe("paths and methods", () => {
  it("answers 404 to unknown paths, before it asks who calls", async () => {
    for (const path of ["", "/", "/nothing", "/orders/", "/orders/7/nothing"])
      expectProblem(await api.call("GET", path, { key: null }), 404, "not-found");
  });

  it("answers 405 with Allow to other methods, before it asks who calls", async () => {
    const answer = await api.call("DELETE", "/orders/7", { key: null });
    expectProblem(answer, 405, "method-not-allowed");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS, PUT");
  });

  it("answers 405 to TRACE", async () => {
    const answer = await raw("TRACE /api/v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET, HEAD, OPTIONS, POST\r\n/i);
  });

  it("answers OPTIONS with 204 and Allow", async () => {
    const answer = await api.call("OPTIONS", "/orders", { key: null });
    expect([answer.status, answer.text, answer.headers.get("allow")]).toEqual([
      204,
      "",
      "GET, HEAD, OPTIONS, POST",
    ]);
    expectProblem(await api.call("OPTIONS", "/nothing", { key: null }), 404, "not-found");
  });

  it("answers HEAD as GET, without the body", async () => {
    const get = await api.call("GET", "/orders");
    const head = await api.call("HEAD", "/orders");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    expect((await api.call("HEAD", "/orders", { key: null })).status).toBe(401);
  });

  it("takes a target in absolute form", async () => {
    const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${api.tenant.key}\r\n\r\n`;
    expect(await raw(`GET http://x/api/v1/orders HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("gives every answer a request id of its own", async () => {
    const ids = await Promise.all(
      ["/orders", "/nothing", "/orders/1"].map(async (path) =>
        (await api.call("GET", path)).headers.get("x-request-id"),
      ),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe("bodies", () => {
  it("refuses one that is declared too large, and closes", async () => {
    const answer = await api.call("POST", "/orders", { body: " ".repeat(256 * 1024 + 1) });
    expectProblem(answer, 413, "payload-too-large");
    expect(answer.headers.get("connection")).toBe("close");
  });

  it("takes one of exactly the limit", async () => {
    const text = JSON.stringify(order);
    const answer = await api.call("POST", "/orders", { body: text + " ".repeat(256 * 1024 - text.length) });
    expect(answer.status).toBe(201);
  });

  it("stops reading one that streams past the limit", async () => {
    const socket = httpRequest(`${api.base}/orders`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.tenant.key}`, "content-type": "application/json" },
    });
    const response = new Promise<number | undefined>((resolve, reject) => {
      socket.on("response", (incoming) => resolve(incoming.statusCode));
      socket.on("error", reject);
    });
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    for (let sent = 0; sent < 5; sent++) socket.write(chunk);
    expect(await response).toBe(413);
    socket.destroy();
  });

  it("ends the wait for one that does not come", async () => {
    const head = `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tenant.key}\r\n`;
    const answer = await raw(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain("/problems/timeout");
  });

  it("lets a client that waits for leave send its body, and refuses it without", async () => {
    const head = `Host: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n`;
    const body = JSON.stringify(order);
    const key = `Authorization: Bearer ${api.tenant.key}\r\n`;
    const taken = await raw(
      `POST /api/v1/orders HTTP/1.1\r\n${head}${key}Content-Length: ${body.length}\r\n\r\n`,
      body,
    );
    expect(taken).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
    const refused = await raw(`POST /api/v1/orders HTTP/1.1\r\n${head}Content-Length: 200000\r\n\r\n`);
    expect(refused).toMatch(/^HTTP\/1.1 401 /);
  });

  it.each([
    ["not JSON", "{", "malformed-json", 400],
    ["nothing", "", "malformed-json", 400],
    ["too deep", `{"a":${"[".repeat(33)}${"]".repeat(33)}}`, "malformed-json", 400],
    ["a byte order mark", "\ufeff{}", "malformed-json", 400],
    ["a member named __proto__", '{"a":{"\\u005f_proto__":1}}', "malformed-json", 400],
    ["an array", "[]", "validation-error", 422],
    ["a string", '"text"', "validation-error", 422],
  ])("refuses one that is %s", async (_name, body, slug, status) => {
    expectProblem(await api.call("POST", "/orders", { body }), status, slug);
  });

  it("refuses invalid UTF-8, other media types and content codings", async () => {
    expectProblem(
      await api.call("POST", "/orders", { body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) }),
      400,
      "malformed-json",
    );
    const defects: Record<string, string>[] = [
      { "content-type": "text/plain" },
      { "content-encoding": "gzip" },
    ];
    for (const headers of defects)
      expectProblem(
        await api.call("POST", "/orders", { json: order, headers }),
        415,
        "unsupported-media-type",
      );
  });

  it("names each defect by its pointer", async () => {
    const answer = await api.call("POST", "/orders", {
      json: { CustomerId: "", Total: -1, Currency: "eur", x: 1 },
    });
    expectProblem(answer, 422, "validation-error");
    const pointers = answer.json.errors.map((error: { pointer: string }) => error.pointer);
    expect(pointers.sort()).toEqual(["#/Currency", "#/CustomerId", "#/Total", "#/x"]);
  });

  it("refuses query parameters that the call does not have", async () => {
    expectProblem(await api.call("POST", "/orders?x=1", { json: order }), 400, "invalid-parameter");
    expectProblem(await api.call("GET", "/orders?limit=1&limit=2"), 400, "invalid-parameter");
  });
});
