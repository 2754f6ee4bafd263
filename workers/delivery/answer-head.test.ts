import { describe, expect, it } from "vitest";
import { headParser, parseAnswerHead } from "./answer-head.ts";

const head = (...lines: string[]) => parseAnswerHead(["HTTP/1.1 200 OK", ...lines].join("\r\n"));

describe("the head of an answer", () => {
  it("has a status, and keeps the harmless few of its headers", () => {
    const { status, headers, headersText } = parseAnswerHead(
      "HTTP/1.1 503 Busy\r\nDate: x\r\nVIA: 1.1 a\r\nvia:1.1 b\t\r\nSet-Cookie: session=secret\r\n__proto__: x\r\nRetry-After:",
    );
    expect(status).toBe(503);
    expect(headers).toEqual({ date: "x", via: "1.1 a, 1.1 b", "retry-after": "" });
    expect(JSON.parse(headersText)).toEqual(headers);
  });

  it.each(["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK", "HTTP/2.0 200 \x01\xe9"])(
    "may begin with %j",
    (line) => {
      expect(parseAnswerHead(line).status).toBe(200);
    },
  );

  it.each([
    ...[
      "",
      "HTTP/1.1",
      "HTTP/1.1 20",
      "HTTP/1.1 2000 OK",
      "HTTP/1.1 099 X",
      "HTTP/1.1 +20 OK",
      "HTTP/1.1 200OK",
    ],
    ...[
      "HTTP/1.1  200 OK",
      " HTTP/1.1 200 OK",
      "http/1.1 200 OK",
      "HTTP/1.2 200 OK",
      "HTTP/3 200",
      "ICY 200 OK",
    ],
    ...["HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\rX: y", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n X: y"],
    ...[
      "X",
      "X Y: z",
      "X : y",
      ": y",
      "X: a\rb",
      "X: a\nb",
      "X: a\0b",
      "X: \x7f",
      "X\xe9: y",
      "X: y\r\n\tz",
    ].map((line) => `HTTP/1.1 200 OK\r\n${line}`),
  ])("is refused when it is %j", (text) => {
    expect(() => parseAnswerHead(text)).toThrow(expect.objectContaining({ errorCode: "bad_response" }));
  });

  it("is refused without going back and forth, however it is made for that", () => {
    for (const line of [
      `X: ${" ".repeat(16_000)}`,
      "x".repeat(16_000),
      ":".repeat(16_000),
      "a:\r\n".repeat(4000),
    ]) {
      expect(() => head(line, "\0")).toThrow("HTTP");
    }
  });
});

describe("the end of a body", () => {
  it.each([
    ["200 OK", [], { kind: "close" }],
    ["200 OK", ["Content-Length: 12"], { kind: "length", bytes: 12 }],
    ["200 OK", ["Content-Length:\t012 "], { kind: "length", bytes: 12 }],
    ["204 X", ["Content-Length: 12"], { kind: "length", bytes: 0 }],
    ["304 X", [], { kind: "length", bytes: 0 }],
    ["103 X", ["Transfer-Encoding: chunked"], { kind: "length", bytes: 0 }],
    ["200 OK", ["Transfer-Encoding: Chunked"], { kind: "chunked" }],
    ["200 OK", ["Transfer-Encoding: gzip, chunked"], { kind: "chunked" }],
    ["200 OK", ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], { kind: "chunked" }],
    ["200 OK", ["Transfer-Encoding: chunked, gzip"], { kind: "close" }],
    ["200 OK", ["Transfer-Encoding: xchunked"], { kind: "close" }],
    ["200 OK", ["Transfer-Encoding: chunked\xa0"], { kind: "close" }],
    ["200 OK", ["Transfer-Encoding: gzip,\t chunked \t"], { kind: "chunked" }],
    ["200 OK", ["Transfer-Encoding:"], { kind: "close" }],
  ])("of %s with %j", (status, lines, framing) => {
    expect(parseAnswerHead([`HTTP/1.1 ${status}`, ...lines].join("\r\n")).framing).toEqual(framing);
  });

  it.each([
    ...[
      ["Content-Length: 2", "Content-Length: 2"],
      ["Content-Length: 2, 2"],
      ["Content-Length: +2"],
      ["Content-Length:"],
    ],
    ...[
      ["Content-Length: 0x2"],
      ["Content-Length: -1"],
      ["Content-Length: 1e3"],
      [`Content-Length: 1${"0".repeat(15)}`],
    ],
    ["Content-Length: 2", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding:", "Content-Length: 2"],
    ["Content-Length: 2\xa0"],
  ])("cannot be %j, %j", (...lines) => {
    expect(() => head(...lines)).toThrow(expect.objectContaining({ errorCode: "bad_response" }));
  });
});

describe("a connection", () => {
  it.each([
    ["1.1", [], true],
    ["1.1", ["Connection: close"], false],
    ["1.1", ["connection: foo , CLOSE"], false],
    ["1.1", ["Connection: foo", "Connection: close"], false],
    ["1.1", ["Connection: close", "Connection: keep-alive"], false],
    ["1.1", ["Connection: closed"], true],
    ["1.0", [], false],
    ["1.0", ["Connection: keep-alive"], true],
    ["2.0", [], false],
  ])("that speaks HTTP/%s and says %j is kept: %s", (version, lines, kept) => {
    const text = [`HTTP/${version} 200 OK`, "Content-Length: 0", ...lines].join("\r\n");
    expect(parseAnswerHead(text).keepsConnection).toBe(kept);
  });

  it("is not kept where its end is the end of the body", () => {
    expect(head("Connection: keep-alive").keepsConnection).toBe(false);
  });

  it.each([
    ["timeout=5", 5000],
    ["max=100, Timeout=5", 5000],
    ["timeout=5; max=100", 5000],
    ["timeout=0", 0],
    ["timeout=-1", null],
    ["timeout=1e9", null],
    ["timeout=99999999999", null],
    ["xtimeout=5", null],
    ["", null],
  ])("is kept by the peer for what Keep-Alive: %s says", (value, keepAliveMs) => {
    expect(head(`Keep-Alive: ${value}`).keepAliveMs).toBe(keepAliveMs);
  });
});

it("is read by who keeps the last one as it is by itself", () => {
  const heads = ["a", "b"].map((via) => `HTTP/1.1 200 OK\r\nVia: ${via}\r\nContent-Length: 3`);
  const long = `HTTP/1.1 200 OK\r\nVia: ${"c".repeat(2000)}`;
  const parse = headParser();
  for (const text of [heads[0], heads[0], heads[1], heads[0], long, long, heads[0]])
    expect(parse(text ?? "")).toEqual(parseAnswerHead(text ?? ""));
  expect(() => parse("HTTP/1.1 20")).toThrow();
  expect(parse(heads[0] ?? "").headers).toEqual({ via: "a", "content-length": "3" });
});
