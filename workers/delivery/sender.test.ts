import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answering, OK, rawReceiver, requestsIn } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";
import type { SendRequest } from "./sender.ts";

const letters = (length: number) =>
  "abcdefghijklmnopqrstuvwxyz".repeat(Math.ceil(length / 26)).slice(0, length);
const headersOf = (request: string) => request.slice(0, request.indexOf("\r\n\r\n")).split("\r\n");

describe("a request", () => {
  it("is a POST with exactly these headers and bytes", async () => {
    const receiver = await rawReceiver(answering(OK));
    const body = Buffer.from('{"ä":"\\u0000 €"}');
    const sent = post(receiver.port, { url: `http://127.0.0.1:${receiver.port}/a%20b/?x=1&y=%C3%BC`, body });
    await newSender().send(sent);

    const [request = ""] = requestsIn(receiver.received[0] ?? "");
    expect(headersOf(request)).toEqual([
      "POST /a%20b/?x=1&y=%C3%BC HTTP/1.1",
      `host: 127.0.0.1:${receiver.port}`,
      "connection: keep-alive",
      "content-type: application/json",
      "X-Delivery: dlv_1",
      `content-length: ${body.length}`,
    ]);
    expect(Buffer.from(request.slice(request.indexOf("\r\n\r\n") + 4), "latin1").equals(body)).toBe(true);
  });

  it("may have an empty body", async () => {
    const receiver = await rawReceiver(answering(OK));
    const { status } = await newSender().send(post(receiver.port, { body: Buffer.alloc(0) }));
    expect(status).toBe(200);
    expect(receiver.received[0]).toContain("content-length: 0\r\n\r\n");
  });

  it("ignores the proxies of the environment", async () => {
    const proxy = await rawReceiver(answering(OK));
    const receiver = await rawReceiver(answering(OK));
    for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await newSender().send(post(receiver.port));
    expect([proxy.connections, receiver.connections]).toEqual([0, 1]);
  });

  it("that cannot be sent at all is our own failure", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender();
    const bad: Partial<SendRequest>[] = [
      { url: "no url" },
      { url: "ftp://127.0.0.1/" },
      { url: "javascript:1" },
      { headers: { "x-a": "line\r\nbreak: 1" } },
      { headers: { "bad name": "1" } },
      { headers: { "content-length": "3" } },
    ];
    for (const request of bad) {
      const sent = await sender.send(post(receiver.port, request));
      expect(sent.result).toEqual({ kind: "error", code: "internal" });
    }
    expect(receiver.received.filter((bytes) => bytes !== "")).toEqual([]);
    expect((await sender.send(post(receiver.port))).status).toBe(200);
  });
});

describe("an answer", () => {
  it("is given with status, harmless headers, body and times", async () => {
    const receiver = await rawReceiver(
      answering(
        "HTTP/1.1 202 Accepted\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nX-Request-Id: r1\r\n" +
          "Set-Cookie: secret=1\r\nX-Internal: 10.0.0.1\r\nServer: caf\xe9\r\n\r\nhello",
      ),
    );
    const sent = await newSender().send(post(receiver.port));
    expect(sent).toMatchObject({
      result: { kind: "response", status: 202 },
      status: 202,
      bodyTruncated: false,
      remoteAddress: "127.0.0.1",
      retryAfter: null,
    });
    expect(JSON.parse(sent.headers ?? "")).toEqual({
      "content-type": "text/plain",
      "content-length": "5",
      "x-request-id": "r1",
      server: expect.stringMatching(/^caf\?+$/),
    });
    expect(sent.body?.toString()).toBe("hello");
    const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = sent.timings;
    expect([dnsMs, tlsMs]).toEqual([null, null]);
    expect(connectMs).toBeGreaterThan(0);
    expect(firstByteMs).toBeGreaterThan(0);
    expect(totalMs).toBeGreaterThanOrEqual(Number(connectMs) + Number(firstByteMs));
  });

  it.each([204, 301, 400, 404, 410, 500, 503])("with status %i is a response", async (status) => {
    const receiver = await rawReceiver(answering(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
    const sent = await newSender().send(post(receiver.port));
    expect(sent.result).toEqual({ kind: "response", status });
    expect(sent.body).toEqual(Buffer.alloc(0));
  });

  it("hands over Retry-After as it came", async () => {
    const receiver = await rawReceiver(
      answering("HTTP/1.1 503 X\r\nRetry-After: Sat, 21 Nov 2026 00:10:00 GMT\r\nContent-Length: 0\r\n\r\n"),
    );
    const sent = await newSender().send(post(receiver.port));
    expect(sent.retryAfter).toBe("Sat, 21 Nov 2026 00:10:00 GMT");
  });

  it("that redirects is not followed", async () => {
    const target = await rawReceiver(answering(OK));
    const receiver = await rawReceiver(
      answering(`HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:${target.port}/\r\nContent-Length: 0\r\n\r\n`),
    );
    const sent = await newSender().send(post(receiver.port));
    expect(sent.result).toEqual({ kind: "response", status: 307 });
    expect(JSON.parse(sent.headers ?? "").location).toBe(`http://127.0.0.1:${target.port}/`);
    expect(target.connections).toBe(0);
  });

  it("is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const receiver = await rawReceiver(
      answering(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb.toString("latin1")}`,
      ),
    );
    const sent = await newSender().send(post(receiver.port));
    expect(sent.body?.equals(bomb.subarray(0, 4096))).toBe(true);
  });

  it.each([
    [0, 0, false],
    [4096, 4096, false],
    [4097, 4096, true],
    [16_384, 4096, true],
  ])("with a body of %i bytes keeps %i of them", async (length, kept, truncated) => {
    const receiver = await rawReceiver(
      answering(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${letters(length)}`),
    );
    const sender = newSender();
    const sent = await sender.send(post(receiver.port));
    expect(sent.body?.toString()).toBe(letters(kept));
    expect(sent.bodyTruncated).toBe(truncated);
    await sender.send(post(receiver.port));
    expect(receiver.connections).toBe(1);
  });

  it("may arrive byte by byte", async () => {
    const answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    const receiver = await rawReceiver((socket) => {
      socket.setNoDelay().on("data", async () => {
        for (const byte of answer) await new Promise((resolve) => socket.write(byte, resolve));
      });
    });
    const sender = newSender();
    for (const _ of [1, 2]) {
      const sent = await sender.send(post(receiver.port));
      expect([sent.status, sent.body?.toString(), sent.bodyTruncated]).toEqual([200, "abcde", false]);
    }
    expect(receiver.connections).toBe(1);
  });

  it("with a body of more than 16 KiB costs the connection and nothing else", async () => {
    const receiver = await rawReceiver(
      answering(`HTTP/1.1 500 X\r\nContent-Length: 20000\r\n\r\n${"x".repeat(20_000)}`),
    );
    const sender = newSender();
    for (const connection of [1, 2]) {
      const sent = await sender.send(post(receiver.port));
      expect(sent).toMatchObject({ result: { kind: "response", status: 500 }, bodyTruncated: true });
      expect(receiver.connections).toBe(connection);
    }
  });
});
