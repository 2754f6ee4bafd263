import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerReader } from "./answer-reader.ts";
import { SendError } from "./send-error.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** What becomes of an answer whose bytes come in these pieces; each is written over afterwards. */
function read(pieces: readonly string[], isEnded = false) {
  const reader = new AnswerReader();
  let error: unknown = null;
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, "latin1");
      reader.push(bytes);
      bytes.fill("!");
    }
    if (isEnded) reader.end();
  } catch (thrown) {
    error = thrown;
  }
  if (error !== null && !(error instanceof SendError)) throw error;
  const { head, isComplete, bodyBytes, isCut, hasExcess } = reader;
  return {
    ...{
      status: head?.status ?? null,
      headers: head?.headers ?? null,
      isComplete,
      isCut,
      hasExcess,
      bodyBytes,
    },
    ...{ body: reader.body.toString("latin1"), error: error?.errorCode ?? null },
  };
}

/** A text in pieces of these sizes, over and over. */
function pieces(text: string, sizes: readonly number[]): string[] {
  const cut: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = sizes[cut.length % sizes.length] ?? 1;
    cut.push(text.slice(at, at + size));
    at += size;
  }
  return cut;
}

describe("an answer", () => {
  it.each([
    ["at once", [OK]],
    ["byte by byte", [...OK]],
    ["after interim ones", ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: </x>\r\n\r\n", OK]],
    ["after empty lines", [`\r\n\r\n\r\n${OK}`]],
  ])("is read %s", (_, given) => {
    expect(read(given)).toMatchObject({
      status: 200,
      isComplete: true,
      hasExcess: false,
      body: "ok",
      error: null,
    });
  });

  it("has a status as soon as its head is there", () => {
    expect(read(["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r"]).status).toBeNull();
    expect(read([OK.slice(0, -2)])).toMatchObject({ status: 200, isComplete: false, body: "" });
    expect(read([OK.slice(0, -1)], true)).toMatchObject({
      status: 200,
      isComplete: false,
      body: "o",
      error: "connection_reset",
    });
  });

  it("ends with the connection where nothing else tells its end", () => {
    const given = ["HTTP/1.1 200 OK\r\n\r\n", "o", "k"];
    expect(read(given)).toMatchObject({ isComplete: false, error: null });
    expect(read(given, true)).toMatchObject({ isComplete: true, body: "ok", error: null });
    expect(read([], true)).toMatchObject({ status: null, error: "connection_reset" });
  });

  it("may be followed by something, which is noticed whenever it comes", () => {
    expect(read([`${OK}x`])).toMatchObject({ isComplete: true, hasExcess: true, body: "ok" });
    expect(read([OK, "x"])).toMatchObject({ isComplete: true, hasExcess: true, body: "ok" });
    expect(read(["HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\nok"])).toMatchObject({
      bodyBytes: 0,
      hasExcess: true,
    });
  });

  it("of another protocol is refused as soon as it shows, without the end of a line", () => {
    for (const beginning of ["S", "HTTPS", "\0", "HTTP/3 200\r\n\r\n", "<html>"]) {
      expect(read([beginning]).error).toBe("bad_response");
    }
    expect(read(["HTT"]).error).toBeNull();
  });

  it.each([
    ["a head", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(16 * 1024)}\r\n\r\n`, null],
    ["interim answers", "HTTP/1.1 103 X\r\n\r\n".repeat(4000), null],
    ["empty lines", "\r\n".repeat(40_000), null],
    ["a body", `HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n${"x".repeat(16 * 1024 + 1)}`, 200],
    ["a body without length", `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(16 * 1024 + 1)}`, 200],
    ["chunks", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(16_385)}`, 200],
    ["an extension", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(70_000)}`, 200],
    [
      "trailers",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${"X: y\r\n".repeat(20_000)}`,
      200,
    ],
  ])("is cut off when it has too much of %s", (_, text, status) => {
    for (const size of [1000, 65_536, text.length]) {
      const { error, body, ...rest } = read(pieces(text, [size]));
      expect([error, rest.status, rest.isComplete]).toEqual(["bad_response", status, false]);
      expect(body.length).toBeLessThanOrEqual(4096);
    }
  });

  it("is the same however it is cut", () => {
    const line = fc.constantFrom(
      "Content-Length: 5",
      "Transfer-Encoding: chunked",
      "Server: x",
      "Connection: close",
      " x",
      "X",
    );
    const interim = fc.constantFrom(
      "",
      "\r\n",
      "HTTP/1.1 103 X\r\nA: b\r\n\r\n",
      "HTTP/1.1 101 X\r\n\r\n",
      "HTTP/1.1 1",
    );
    const status = fc.constantFrom(
      "HTTP/1.1 200 OK",
      "HTTP/1.0 404",
      "HTTP/1.1 204 X",
      "HTTP/1.1 500",
      "HTTP/9",
    );
    const body = fc.constantFrom(
      "",
      "hello",
      "hello and more",
      "2\r\nok\r\n0\r\n\r\n",
      "3;x\r\nabc\r\n0\r\nT: u\r\n\r\n",
      "zz",
    );
    fc.assert(
      fc.property(
        ...[interim, status, fc.array(line, { maxLength: 3 }), body, fc.boolean()],
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
        (before, first, lines, after, isEnded, sizes) => {
          const text = `${before}${[first, ...lines].join("\r\n")}\r\n\r\n${after}`;
          const { error, ...whole } = read([text], isEnded);
          const { error: errorInPieces, ...inPieces } = read(pieces(text, sizes), isEnded);
          expect(errorInPieces).toBe(error);
          expect(inPieces).toEqual(whole);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("of any bytes at all ends in itself, in an error of the sender's, or goes on", () => {
    const fragment = fc.constantFrom(
      ...["HTTP/1.1 200 OK", "\r\n", "\r", "\n", ":", "Content-Length: 1", "0", "ffff", "\0", ";", " "],
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 40 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        (parts, sizes) => {
          const { bodyBytes, body } = read(pieces(parts.join(""), [sizes.next().value ?? 1, 3]), true);
          expect(body.length).toBe(bodyBytes);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
