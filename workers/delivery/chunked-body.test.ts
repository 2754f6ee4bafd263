import { describe, expect, it } from "vitest";
import { ChunkedBody } from "./chunked-body.ts";

/** Reads a text in pieces of `size` characters; gives the data, what was left over, and whether the body ended. */
function read(text: string, size = text.length) {
  const body = new ChunkedBody();
  let data = "";
  let left = "";
  for (let from = 0; from < text.length; from += size) {
    const bytes = Buffer.from(text.slice(from, from + size), "latin1");
    const end = body.read(bytes, 0, (at, to) => {
      data += bytes.toString("latin1", at, to);
    });
    left += bytes.toString("latin1", end);
  }
  return [data, left, body.isComplete];
}

describe("a body in chunks", () => {
  it.each([
    ["0\r\n\r\n", "", ""],
    ["2\r\nok\r\n0\r\n\r\n", "ok", ""],
    ["a\r\n0123456789\r\n00B\r\n0123456789\n\r\n0\r\n\r\n", "01234567890123456789\n", ""],
    ["1;a=b;c\r\nx\r\n0;\r\n\r\n", "x", ""],
    ["1\r\nx\r\n000\r\nX-A: b\r\nX-B: c\r\n\r\n", "x", ""],
    ["1\r\nx\r\n0\r\n\r\nmore", "x", "more"],
  ])("is taken apart, wherever it is cut: %j", (text, data, left) => {
    for (const size of [1, 2, 3, 7, text.length]) expect(read(text, size)).toEqual([data, left, true]);
  });

  it.each(["", "2", "2\r\no", "2\r\nok", "2\r\nok\r\n", "2\r\nok\r\n0\r\n", "0\r\nX-A: b\r\n", "0\r\n\r"])(
    "is not over with %j",
    (text) => {
      expect(read(text)[2]).toBe(false);
    },
  );

  it.each([
    ...[
      "\r\n",
      "x",
      " 1\r\n",
      "-1\r\n",
      "+1\r\n",
      "0x1\r\n",
      "1 \r\n",
      "1\n",
      "1;a\n",
      "1\rx",
      ";a\r\n",
      "g\r\n",
    ],
    ...["1\r\nxx", "1\r\nx\n", "1\r\nx\rx", "1\r\nx\r\nx", "0\r\n\n", "0\r\nX\n", "0\r\nX\rY", "0\r\n\rx"],
    "fffffffffffffffffffff\r\n",
  ])("is refused when it goes %j", (text) => {
    expect(() => read(text, 1)).toThrow(expect.objectContaining({ errorCode: "bad_response" }));
  });
});
