import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Attempt } from "#contracts/deliveries.ts";
import { drips, floods, onRequest, says, saysAndCloses } from "#workers/delivery/fixtures/behaviours.ts";
import { answering, closedPort, OK, rawReceiver } from "#workers/delivery/fixtures/receivers.ts";
import { forkWorker } from "#workers/delivery/fixtures/worker-process.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

type Receive = Parameters<typeof rawReceiver>[0];

const TEXT = "\u001b[31m<script>alert(1)</script>\r\n=1+1\u0000\u202e";
const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024));
const answerOf = (head: string, body = "") =>
  answering(`HTTP/1.1 ${head}\r\nContent-Length: ${Buffer.byteLength(body, "latin1")}\r\n\r\n${body}`);
const utf8 = (text: string) => Buffer.from(text).toString("latin1");

/** What a receiver does, and how the first try is shown. */
const CASES: [string, Receive | null, object][] = [
  ["Refuses", null, { outcome: "retry", error_code: "connection_refused", response: null }],
  ["Hangs", () => {}, { outcome: "retry", error_code: "timeout", response: null }],
  [
    "DripsHeaders",
    drips("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
    { outcome: "retry", error_code: "timeout", response: null },
  ],
  [
    "FloodsHeaders",
    floods("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
    { outcome: "retry", error_code: "bad_response", response: null },
  ],
  [
    "FloodsInterim",
    floods("", "HTTP/1.1 103 X\r\n\r\n"),
    { outcome: "retry", error_code: "bad_response", response: null },
  ],
  [
    "DripsBody",
    drips("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", "x"),
    { outcome: "ok", error_code: null, response: { status: 200, body_truncated: true } },
  ],
  [
    "FloodsBody",
    floods("HTTP/1.1 500 X\r\n\r\n", "x"),
    {
      outcome: "retry",
      error_code: "http_500",
      response: { status: 500, body: "x".repeat(4096), body_truncated: true },
    },
  ],
  [
    "Resets",
    onRequest((socket) => socket.resetAndDestroy()),
    { error_code: "connection_reset", response: null },
  ],
  ["Garbage", saysAndCloses("SSH-2.0-OpenSSH_9.7\r\n"), { error_code: "bad_response", response: null }],
  [
    "Says999",
    says("HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"),
    { outcome: "retry", error_code: "bad_response", response: { status: 999 } },
  ],
  [
    "Redirects",
    answerOf("307 X\r\nLocation: http://169.254.169.254/latest/"),
    {
      ...{ outcome: "retry_short", error_code: "redirect_not_followed" },
      response: { status: 307, headers: { location: "http://169.254.169.254/latest/" } },
    },
  ],
  [
    "Bomb",
    answerOf("200 OK\r\nContent-Encoding: gzip", BOMB.toString("latin1")),
    { outcome: "ok", response: { body: BOMB.subarray(0, 4096).toString("utf8"), body_truncated: true } },
  ],
  [
    "Text",
    answerOf("422 X\r\nContent-Type: text/html\r\nServer: a\u009bb\tc\r\nSet-Cookie: session=1", utf8(TEXT)),
    {
      ...{ outcome: "permanent", error_code: "http_422" },
      response: {
        ...{ status: 422, body: TEXT, body_truncated: false },
        headers: {
          "content-type": "text/html",
          "content-length": String(Buffer.byteLength(TEXT)),
          server: expect.stringMatching(/^a\?+b\?c$/),
        },
      },
    },
  ],
];

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

it("whatever receivers do ends in time and is shown for what it was, and others get theirs meanwhile", async () => {
  const register = (url: string, type: string) =>
    api.call("POST", "/webhook-endpoints", { json: { url, event_types: [type], timeout_ms: 1000 } });
  const endpoints = new Map<string, string>();
  for (const [type, receive] of CASES) {
    const port = receive ? (await rawReceiver(receive)).port : await closedPort();
    endpoints.set(type, (await register(`http://127.0.0.1:${port}/`, type)).json.id);
  }
  const plain = await rawReceiver(saysAndCloses("HTTP/1.1 400 X\r\n\r\n"));
  endpoints.set("NoTls", (await register(`https://127.0.0.1:${plain.port}/`, "NoTls")).json.id);
  const good = await rawReceiver(answering(OK));
  endpoints.set("Good", (await register(`http://127.0.0.1:${good.port}/`, "Good")).json.id);
  const events = [...endpoints.keys()].map((type) => ({ type, data: {} }));
  await api.call("POST", "/events/batch", { json: { events } });
  await forkWorker({ url: api.databaseUrl, encryptionKeys: api.encryptionKeys });

  const firstOf = async (type: string): Promise<Attempt> => {
    const { json } = await api.call("GET", `/deliveries?endpoint_id=${endpoints.get(type)}`);
    const path = `/deliveries/${json.items[0].id}/attempts`;
    const read = async () =>
      (await api.call("GET", path)).json.items.find((each: Attempt) => each.number === 1);
    await expect.poll(read, { timeout: 30_000 }).toBeDefined();
    return read();
  };
  const expected: [string, object][] = [
    ...CASES.map(([type, , shown]): [string, object] => [type, shown]),
    ["NoTls", { outcome: "retry", error_code: "tls_handshake", response: null }],
    ["Good", { outcome: "ok", error_code: null, response: { status: 200, body: "ok" } }],
  ];
  for (const [type, shown] of expected) {
    const attempt = await firstOf(type);
    expect(attempt, type).toMatchObject(shown);
    expect(attempt.duration_ms, type).toBeLessThan(4_000);
    expect(attempt.response?.body.length ?? 0, type).toBeLessThanOrEqual(4096);
  }
});
