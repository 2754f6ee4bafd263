import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { bytes, exchange, requestText, type WireAnswer } from "./wire.ts";

/** Where the API is served, by whichever server. */
export interface WireTarget {
  port: number;
  /** May do everything. */
  key: string;
  /** Between two bytes of an upload that takes longer than it may. */
  byteEveryMs: number;
}

/** What must hold of a connection, whichever server it leads to. */
interface WireCase {
  name: string;
  holds(target: WireTarget): Promise<void>;
}

const ORDERS = "/api/v1/orders";
const ORDER = JSON.stringify({ CustomerId: "c", Total: 1, Currency: "EUR" });
const KIB = 1024;

const json = (target: WireTarget, more: Record<string, string | undefined> = {}) => ({
  Authorization: `Bearer ${target.key}`,
  "Content-Type": "application/json",
  ...more,
});
const list = (target: WireTarget, more: Record<string, string | undefined> = {}) =>
  requestText(`GET ${ORDERS}?limit=1`, { Authorization: `Bearer ${target.key}`, ...more });
const statuses = (answers: WireAnswer[]) => answers.map(({ status }) => status);

function assertProblem(answer: WireAnswer | undefined, status: number, slug: string): void {
  assert.equal(answer?.status, status);
  assert.match(answer.headers["content-type"] ?? "", /^application\/problem\+json/);
  assert.match(JSON.parse(answer.body).type, new RegExp(`/problems/${slug}$`));
}

/** Writes for as long as the connection takes it; gives how many bytes that was. */
async function pour(socket: Socket, chunk: string | Uint8Array, everyMs = 0): Promise<number> {
  let poured = 0;
  while (socket.writable) {
    const isRoom = socket.write(chunk);
    poured += chunk.length;
    if (everyMs > 0 || !isRoom) await pause(Math.max(everyMs, 1));
  }
  return poured;
}

const bodies: WireCase[] = [
  {
    name: "stops an upload in chunks that goes past its cap, and closes",
    async holds(target) {
      const head = requestText(`POST ${ORDERS}`, json(target, { "Transfer-Encoding": "chunked" }));
      const chunk = `${(16 * KIB).toString(16)}\r\n${" ".repeat(16 * KIB)}\r\n`;
      const [answer, ...more] = await exchange(target.port, async (socket) => {
        socket.write(head);
        await pour(socket, chunk, 2);
      });
      assertProblem(answer, 413, "payload-too-large");
      assert.deepEqual(more, []);
    },
  },
  {
    name: "refuses a length past the cap without waiting for the body",
    async holds(target) {
      const head = requestText(`POST ${ORDERS}`, json(target, { "Content-Length": String(256 * KIB + 1) }));
      const [answer] = await exchange(target.port, bytes(head, "{"));
      assertProblem(answer, 413, "payload-too-large");
    },
  },
  {
    name: "cuts an upload that comes a byte at a time",
    async holds(target) {
      const head = requestText(`POST ${ORDERS}`, json(target, { "Content-Length": "100000" }));
      const [answer, ...more] = await exchange(target.port, async (socket) => {
        socket.write(`${head}{`);
        await pour(socket, " ", target.byteEveryMs);
      });
      assertProblem(answer, 503, "timeout");
      assert.deepEqual(more, []);
    },
  },
  {
    name: "does nothing with a body that ends before its length",
    async holds(target) {
      const key = `cut-${Date.now()}`;
      const headers = json(target, { "Content-Length": String(ORDER.length + 10), "Idempotency-Key": key });
      const answers = await exchange(target.port, (socket) => {
        socket.end(requestText(`POST ${ORDERS}`, headers, ORDER));
      });
      assert.ok(answers.every(({ status }) => status === 400));
      // Had it been done, this would be its replay or a reuse of its key.
      const whole = { ...headers, "Content-Length": String(ORDER.length) };
      const [made] = await exchange(target.port, bytes(requestText(`POST ${ORDERS}`, whole, ORDER)));
      assert.deepEqual([made?.status, made?.headers["idempotent-replayed"]], [201, undefined]);
    },
  },
  {
    name: "never takes what comes after a body's length for a part of it",
    async holds(target) {
      const headers = json(target, { "Content-Length": "2", Connection: undefined });
      const answers = await exchange(
        target.port,
        bytes(requestText(`POST ${ORDERS}`, headers, "{}}}}}\r\n\r\n")),
      );
      assert.ok(answers.length <= 2);
      assert.ok(answers.every(({ status }) => status === 422 || status === 400));
    },
  },
  {
    name: "gives leave to send a body only to who may send it",
    async holds(target) {
      const headers = { Expect: "100-continue", "Content-Length": String(ORDER.length) };
      const text = requestText(`POST ${ORDERS}`, json(target, headers));
      assert.deepEqual(statuses(await exchange(target.port, bytes(text, ORDER))), [100, 201]);
    },
  },
  ...[
    ["is deeper than 32 levels", `{"a":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["is not UTF-8", Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ["begins with a byte order mark", "\ufeff{}"],
    ["has a member named __proto__", '{"\\u005f_proto__":{}}'],
  ].map(
    ([name, body = ""]): WireCase => ({
      name: `refuses a body that ${name}`,
      async holds(target) {
        const length = String(Buffer.byteLength(body));
        const text = requestText(`POST ${ORDERS}`, json(target, { "Content-Length": length }));
        const [answer] = await exchange(target.port, bytes(text, body));
        assertProblem(answer, 400, "malformed-json");
      },
    }),
  ),
];

const SMUGGLED = "GET /api/v1/smuggled HTTP/1.1\r\nHost: posthorn.example\r\n\r\n";

/** Heads whose body two servers might end at different places (RFC 9112 §6.3, §11.2), with what comes after. */
const AMBIGUOUS: [name: string, head: string, after: string][] = [
  ["two lengths", "Content-Length: 2\r\nContent-Length: 4", `{}${SMUGGLED}`],
  ["the same length twice", "Content-Length: 2\r\nContent-Length: 2", `{}${SMUGGLED}`],
  ["a list of lengths", "Content-Length: 2, 2", `{}${SMUGGLED}`],
  ["a length with a sign", "Content-Length: +2", `{}${SMUGGLED}`],
  ["a length in hex", "Content-Length: 0x2", `{}${SMUGGLED}`],
  ["a length that is too long for a number", `Content-Length: ${"9".repeat(30)}`, `{}${SMUGGLED}`],
  ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`],
  ["chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 2", `0\r\n\r\n${SMUGGLED}`],
  ["a coding before chunked is over", "Transfer-Encoding: chunked, identity", `0\r\n\r\n${SMUGGLED}`],
  ["a coding that is not known", "Transfer-Encoding: xchunked", `0\r\n\r\n${SMUGGLED}`],
  ["a space before the colon", "Transfer-Encoding : chunked", `0\r\n\r\n${SMUGGLED}`],
  ["a folded line", "Transfer-Encoding:\r\n chunked", `0\r\n\r\n${SMUGGLED}`],
  ["a bare line feed", "X: y\nTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`],
  ["a bare carriage return", "X: y\rTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`],
  ["a NUL in a value", "X: a\0b", SMUGGLED],
  ["a chunk size with a sign", "Transfer-Encoding: chunked", `+2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
  ["a chunk longer than its size", "Transfer-Encoding: chunked", `2\r\n{}{}\r\n0\r\n\r\n${SMUGGLED}`],
];

const framing: WireCase[] = AMBIGUOUS.map(([name, lines, after]) => ({
  name: `refuses ${name}, and what comes after it is no request`,
  async holds(target) {
    const head = `POST ${ORDERS} HTTP/1.1\r\nHost: posthorn.example\r\nAuthorization: Bearer ${target.key}\r\n`;
    const text = `${head}Content-Type: application/json\r\n${lines}\r\n\r\n${after}`;
    const answers = await exchange(target.port, bytes(text));
    assert.ok(answers.length <= 1, `${answers.length} answers`);
    assert.ok(answers.every(({ status }) => status === 400));
  },
}));

const heads: WireCase[] = [
  {
    name: "refuses headers of more than 16 KiB",
    async holds(target) {
      const answers = await exchange(target.port, bytes(list(target, { "X-Long": "x".repeat(20 * KIB) })));
      assert.deepEqual(statuses(answers), [431]);
    },
  },
  {
    name: "refuses a target of more than 16 KiB, and reads one of 8",
    async holds(target) {
      const to = (length: number) =>
        requestText(`GET ${ORDERS}?after=${"x".repeat(length)}`, { Authorization: `Bearer ${target.key}` });
      assert.deepEqual(statuses(await exchange(target.port, bytes(to(20 * KIB)))), [431]);
      assertProblem((await exchange(target.port, bytes(to(8 * KIB))))[0], 400, "invalid-parameter");
    },
  },
  {
    name: "closes on what is no HTTP, in plain words or in silence",
    async holds({ port }) {
      const hello = Buffer.from("16030100a5010000a10303", "hex");
      for (const sent of [hello, "HELLO\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "\0\0\0\0"])
        assert.ok((await exchange(port, bytes(sent))).every(({ status }) => status === 400));
    },
  },
  {
    name: "refuses a request without Host",
    async holds({ port }) {
      const answers = await exchange(port, bytes(`GET ${ORDERS} HTTP/1.1\r\nConnection: close\r\n\r\n`));
      assert.deepEqual(statuses(answers), [400]);
    },
  },
  {
    name: "answers many requests on one connection in their order",
    async holds(target) {
      const count = 50;
      const keepAlive = { Connection: undefined };
      const each = Array.from({ length: count }, (_, n) =>
        n % 2 ? list(target, keepAlive) : requestText("GET /api/v1/nothing", keepAlive),
      );
      const answers = await exchange(target.port, bytes(...each, list(target)));
      const expected = Array.from({ length: count }, (_, n) => (n % 2 ? 200 : 404));
      assert.deepEqual(statuses(answers), [...expected, 200]);
    },
  },
];

export const wireCases: readonly WireCase[] = [...bodies, ...framing, ...heads];
