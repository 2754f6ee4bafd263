import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytes, exchange, requestText, type WireAnswer } from "#tests/wire.ts";
import { wireCases } from "#tests/wire-cases.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ bodyTimeoutMs: 1_000, headTimeoutMs: 1_000 });
});
afterAll(() => api.close());

describe("a connection to node:http", () => {
  it.each(wireCases)("$name", ({ holds }) =>
    holds({ port: api.server.port, key: api.tenant.key, byteEveryMs: 40 }),
  );
});

/** A problem that says no more than its status. */
function expectBlank(answers: WireAnswer[], status: number, title: string): void {
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  const { "x-request-id": id, ...headers } = answer?.headers ?? {};
  expect(headers).toMatchObject({ "content-type": "application/problem+json", connection: "close" });
  expect(JSON.parse(answer?.body ?? "")).toEqual({
    ...{ type: "about:blank", title, status, instance: `urn:uuid:${id}` },
  });
}

describe("what is no request", () => {
  it("is answered with a problem document", async () => {
    const { port } = api.server;
    expectBlank(await exchange(port, bytes("HELLO\r\n\r\n")), 400, "Bad Request");
    const long = requestText("GET /api/v1/orders", { "X-Long": "x".repeat(20_000) });
    expectBlank(await exchange(port, bytes(long)), 431, "Request Header Fields Too Large");
  });

  it("is cut when its head takes too long, or never comes", async () => {
    const { port } = api.server;
    const slowly = bytes("GET /api/v1/orders HTTP/1.1\r\nHost: x\r\n");
    expectBlank(await exchange(port, slowly, { patienceMs: 20_000 }), 408, "Request Timeout");
    const nothing = await exchange(port, () => {}, { patienceMs: 20_000 });
    expect(nothing.every(({ status }) => status === 408)).toBe(true);
  });

  it("does not cost the request before it its answer", async () => {
    const headers = {
      Authorization: `Bearer ${api.tenant.key}`,
      ...{ "Content-Type": "application/json", "Content-Length": "2", Connection: undefined },
    };
    const request = requestText("POST /api/v1/orders", headers, "{}}}}}\r\n\r\n");
    const answers = await exchange(api.server.port, bytes(request));
    expect(answers.map(({ status }) => status)).toEqual([422]);
  });

  it("waits for the answers that are due on its connection", async () => {
    const waiting = requestText("GET /api/v1/events?wait=1", {
      Authorization: `Bearer ${api.tenant.key}`,
      Connection: undefined,
    });
    const answers = await exchange(api.server.port, bytes(waiting, "HELLO\r\n\r\n"), { patienceMs: 20_000 });
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
});

describe("headers", () => {
  const withHeaders = (count: number) => {
    const more = Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "1"]));
    return requestText("GET /api/v1/orders", { ...more, Authorization: `Bearer ${api.tenant.key}` });
  };

  it("are refused when there are too many, and none is left out before", async () => {
    const { port } = api.server;
    expectBlank(await exchange(port, bytes(withHeaders(98))), 431, "Request Header Fields Too Large");
    const [answer] = await exchange(port, bytes(withHeaders(97)));
    expect(answer?.status).toBe(200);
  });
});

describe("connections that do nothing", () => {
  it("keep nobody from being answered, and are closed", async () => {
    const idle = Array.from({ length: 300 }, () => connect(api.server.port, "127.0.0.1"));
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    expect((await api.call("GET", "/orders")).status).toBe(200);
    await Promise.all(idle.map((socket) => once(socket.resume(), "close")));
  });
});
