import { describe, expect, it } from "vitest";
import { headerDefects, MASKED_VALUE, maskedHeaders } from "./endpoint-headers.ts";

describe("headerDefects", () => {
  it("takes names that are tokens and values of visible ASCII and spaces, up to their lengths", () => {
    expect(headerDefects({})).toEqual([]);
    expect(
      headerDefects({
        Authorization: "Bearer abc 123~",
        "x!#$%&'*+.^_`|~-9": "",
        ["n".repeat(64)]: "v".repeat(1024),
        "X-Forward": "to",
        "X-Events": "all",
      }),
    ).toEqual([]);
  });

  it.each([
    ...[
      "Host",
      "Content-Type",
      "content-length",
      "Content-Foo",
      "Transfer-Encoding",
      "Connection",
      "Keep-Alive",
    ],
    ...["TE", "Trailer", "Upgrade", "Expect", "Date", "Cookie", "User-Agent", "Accept-Encoding"],
    ...["Proxy-Authorization", "Proxy-", "Forwarded", "X-Forwarded-For", "Via"],
    ...["X-Signature", "X-Signature-Key-Id", "X-SignatureX", "X-Delivery", "X-Event", "X-Attempt"],
    ...["Webhook-Id", "webhook-anything", "Traceparent", "TRACESTATE"],
  ])("refuses %s, which is not the tenant's to set", (name) => {
    expect(headerDefects({ "x-mine": "1", [name]: "1" })).toEqual([{ name, reason: "is not yours to set" }]);
  });

  it.each(["", "a b", "a:", "a\r\nb", "ä", "a/b", "(a)", "n".repeat(65)])("refuses the name %j", (name) => {
    expect(headerDefects({ [name]: "1" })).toMatchObject([{ name, reason: expect.stringMatching("token") }]);
  });

  it.each(["a\r\nX-Injected: 1", "\t", "\u007f", "é", MASKED_VALUE, "\0", "v".repeat(1025)])(
    "refuses the value %.20j",
    (value) => {
      expect(headerDefects({ "x-a": value })).toMatchObject([
        { name: "x-a", reason: expect.stringMatching("visible ASCII") },
      ]);
    },
  );

  it("refuses a name that is there in another spelling", () => {
    expect(headerDefects({ "X-A": "1", "x-b": "2", "x-a": "3" })).toMatchObject([{ name: "x-a" }]);
  });

  it("refuses the twenty-first", () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "1"]));
    expect(headerDefects(headers(20))).toEqual([]);
    expect(headerDefects(headers(21))).toEqual([{ reason: "must be at most 20 headers" }]);
  });
});

it("masks every value the same", () => {
  expect(maskedHeaders(["Authorization", "x-a"])).toEqual({
    Authorization: MASKED_VALUE,
    "x-a": MASKED_VALUE,
  });
});
