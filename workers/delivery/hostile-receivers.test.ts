import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { CHUNKED, drips, floods, MIB, onRequest, says, saysAndCloses } from "./fixtures/behaviours.ts";
import { answering, OK, rawReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

const KIB = 1024;
const DEADLINE_MS = 300;

const error = (code: string) => ({ kind: "error", code });
const response = (status: number) => ({ kind: "response", status });

type Behaviour = [string, (socket: Socket) => void, object];

const BEHAVIOURS: Behaviour[] = [
  ["never answers", () => {}, error("timeout")],
  ["drips a status line", drips("HTTP/1.1 200 ", "O"), error("timeout")],
  ["drips headers", drips("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), error("timeout")],
  ["drips interim answers", drips("", "HTTP/1.1 103 Early Hints\r\n\r\n"), error("timeout")],
  ["drips a body after 200", drips("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", "x"), response(200)],
  ["drips a body after 500", drips("HTTP/1.1 500 X\r\nContent-Length: 99999\r\n\r\n", "x"), response(500)],
  ["drips trailers", drips(`${CHUNKED}0\r\n`, "X-A: b\r\n"), response(200)],
  ["floods the status line", floods("HTTP/1.1 200 ", "O"), error("bad_response")],
  ["floods with headers", floods("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), error("bad_response")],
  ["floods one header", floods("HTTP/1.1 200 OK\r\nX-A: ", "b"), error("bad_response")],
  ["floods one header name", floods("HTTP/1.1 200 OK\r\n", "X"), error("bad_response")],
  ["floods with blanks in a header", floods("HTTP/1.1 200 OK\r\nX-A:", " "), error("bad_response")],
  ["floods with interim answers", floods("", "HTTP/1.1 103 Early Hints\r\n\r\n"), error("bad_response")],
  ["floods with empty lines", floods("", "\r\n"), error("bad_response")],
  ["floods the body", floods("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n", "x"), response(200)],
  ["floods a body without length", floods("HTTP/1.1 404 X\r\n\r\n", "x"), response(404)],
  ["floods with chunks", floods(CHUNKED, "1\r\nx\r\n"), response(200)],
  ["floods a chunk extension", floods(`${CHUNKED}1;a=`, "b"), response(200)],
  ["floods the trailers", floods(`${CHUNKED}0\r\n`, "X-A: b\r\n"), response(200)],
  [
    "switches protocols",
    says("HTTP/1.1 101 X\r\nUpgrade: foo\r\nConnection: upgrade\r\n\r\n"),
    error("bad_response"),
  ],
  ["says 199 and nothing more", saysAndCloses("HTTP/1.1 199 X\r\n\r\n"), error("connection_reset")],
  ["says 999", says("HTTP/1.1 999 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), response(999)],
  ["says 099", says("HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n"), error("bad_response")],
  ["says 1000", says("HTTP/1.1 1000 X\r\nContent-Length: 0\r\n\r\n"), error("bad_response")],
  ["says no number", says("HTTP/1.1 abc X\r\n\r\n"), error("bad_response")],
  ["speaks HTTP/0.9", saysAndCloses("<html>ok</html>"), error("bad_response")],
  ["speaks HTTP/2", saysAndCloses("\x00\x00\x12\x04\x00\x00\x00\x00\x00"), error("bad_response")],
  ["speaks SSH", (socket) => void socket.write("SSH-2.0-OpenSSH_9.7\r\n"), error("bad_response")],
  [
    "sends both lengths",
    says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
    error("bad_response"),
  ],
  [
    "sends two lengths",
    says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"),
    error("bad_response"),
  ],
  ["sends a negative length", says("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), error("bad_response")],
  [
    "sends a huge length",
    says("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"),
    error("bad_response"),
  ],
  [
    "sends a NUL in a header",
    says("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n"),
    error("bad_response"),
  ],
  ["sends a bad chunk", says(`${CHUNKED}zz\r\nok`), response(200)],
  ["breaks off the body", saysAndCloses("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"), response(200)],
  ["sends a body with 204", says("HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\nhello"), response(204)],
  ["ends the body by closing", saysAndCloses("HTTP/1.1 200 OK\r\n\r\nok"), response(200)],
  ["sends an empty answer", saysAndCloses(""), error("connection_reset")],
  ["breaks off the headers", saysAndCloses("HTTP/1.1 200 OK\r\nX-A"), error("connection_reset")],
  ["resets at the request", onRequest((socket) => socket.resetAndDestroy()), error("connection_reset")],
  ["says nothing after its headers", says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), response(200)],
  ["sends more than it announced", says(`${OK}and more`), response(200)],
  ["speaks HTTP/1.0 and closes", saysAndCloses("HTTP/1.0 200 OK\r\n\r\nok"), response(200)],
  ["says that it speaks HTTP/2", says("HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"), response(200)],
  ["says that it speaks HTTP/3", says("HTTP/3 200\r\nContent-Length: 0\r\n\r\n"), error("bad_response")],
  ...[
    ...["Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2", "Content-Length: +2"],
    ...["Content-Length: 0x2", "Content-Length: 2 2", "Content-Length: two", "Content-Length:"],
    ...[
      "Transfer-Encoding: chunked\r\nContent-Length: 2",
      "X-A : b",
      ": b",
      "X-A: a\rb",
      "X A: b",
      "X-\xe9: b",
    ],
  ].map(
    (header): Behaviour => [
      `sends ${JSON.stringify(header)}`,
      says(`HTTP/1.1 200 OK\r\n${header}\r\n\r\nok`),
      error("bad_response"),
    ],
  ),
];

describe("a receiver that", () => {
  it.each(BEHAVIOURS)("%s costs a bounded time and one connection", async (_, behaviour, result) => {
    const receiver = await rawReceiver((socket, received, connection) =>
      connection === 1 ? behaviour(socket) : answering(OK)(socket, received, connection),
    );
    const sender = newSender();
    const hit = await sender.send(post(receiver.port, { timeoutMs: DEADLINE_MS }));
    expect(hit.result).toEqual(result);
    expect(hit.timings.totalMs).toBeLessThan(DEADLINE_MS + 1000);
    expect(hit.body?.length ?? 0).toBeLessThanOrEqual(4 * KIB);

    const next = await sender.send(post(receiver.port));
    expect([next.status, next.body?.toString()]).toEqual([200, "ok"]);
    await eventually(() => expect(receiver.open).toBe(1));
  });

  it.each([
    ["hints first", `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}`],
    ["says 100 unasked", `HTTP/1.1 100 Continue\r\n\r\n${OK}`],
    ["gives no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"],
    ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"],
  ])("%s is understood, and its connection used again", async (_, answer) => {
    const receiver = await rawReceiver(answering(answer));
    const sender = newSender();
    for (const __ of [1, 2]) {
      const sent = await sender.send(post(receiver.port));
      expect([sent.status, sent.body?.toString()]).toEqual([200, "ok"]);
    }
    expect(receiver.connections).toBe(1);
  });

  it("floods is cut off long before its deadline", async () => {
    const receiver = await rawReceiver(floods("", "HTTP/1.1 103 Early Hints\r\n\r\n"));
    const hit = await newSender().send(post(receiver.port, { timeoutMs: 20_000 }));
    expect(hit.result).toEqual(error("bad_response"));
    expect(hit.timings.totalMs).toBeLessThan(5000);
  });

  it("breaks off its body leaves one that is known to be incomplete", async () => {
    const receiver = await rawReceiver(saysAndCloses("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"));
    const hit = await newSender().send(post(receiver.port));
    expect([hit.body?.toString(), hit.bodyTruncated]).toEqual(["ok", true]);
  });
});

describe("a connection is not used again", () => {
  it("after an answer that came before the request was sent", async () => {
    const receiver = await rawReceiver((socket, received, connection) => {
      if (connection > 1) return answering(OK)(socket, received, connection);
      socket.pause();
      socket.write(OK);
    });
    const sender = newSender();
    const early = await sender.send(post(receiver.port, { body: Buffer.alloc(32 * MIB) }));
    expect(early).toMatchObject({ status: 200, bodyTruncated: false });
    expect((await sender.send(post(receiver.port))).status).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it("after two answers to one request", async () => {
    const second = "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n";
    const receiver = await rawReceiver((socket, received, connection) =>
      connection === 1 ? says(OK, second)(socket) : answering(OK)(socket, received, connection),
    );
    const sender = newSender();
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await sender.send(post(receiver.port))).status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(receiver.connections).toBe(2);
  });

  it("after an answer that nobody asked for", async () => {
    let idle = (): void => {};
    const receiver = await rawReceiver((socket, received, connection) => {
      answering(OK)(socket, received, connection);
      if (connection === 1) idle = () => void socket.write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n");
    });
    const sender = newSender();
    await sender.send(post(receiver.port));
    idle();
    await eventually(() => expect(receiver.open).toBe(0));
    expect((await sender.send(post(receiver.port))).status).toBe(200);
    expect(receiver.connections).toBe(2);
  });
});

describe("many receivers that hang", () => {
  it("do not delay another, and are all given up in time", async () => {
    const hanging = await rawReceiver(() => {});
    const healthy = await rawReceiver(answering(OK));
    const sender = newSender();
    const given = Array.from({ length: 200 }, () => sender.send(post(hanging.port, { timeoutMs: 1000 })));
    const quick = await sender.send(post(healthy.port));
    expect(quick.status).toBe(200);
    expect(quick.timings.totalMs).toBeLessThan(900);
    for (const { result, timings } of await Promise.all(given)) {
      expect(result).toEqual(error("timeout"));
      expect(timings.totalMs).toBeLessThan(2000);
    }
    await eventually(() => expect(hanging.open).toBe(0));
  });
});
