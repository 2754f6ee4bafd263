import { describe, expect, it } from "vitest";
import { base32, matchingStep, otpauthUri, totpCode, totpStep } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");

describe("codes", () => {
  // RFC 6238 appendix B, SHA-1, without the first two of its eight digits.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("are those of the standard after %i s", (seconds, code) => {
    expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)))).toBe(code);
  });

  it("count for the step before and after, and for no other", () => {
    const now = new Date(1_234_567_890_000);
    const step = totpStep(now);
    const found = [-2, -1, 0, 1, 2].map((off) => matchingStep(SECRET, totpCode(SECRET, step + off), now));
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  it.each(["", "05924", "0005924", "００５９２４", "00592é", "      "])("are not %j", (code) => {
    expect(matchingStep(SECRET, code, new Date(1_234_567_890_000))).toBeUndefined();
  });
});

// RFC 4648 §10, without the padding.
it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("writes %j in base32 as %j", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

it("names issuer and account in the address for authenticator apps", () => {
  expect(otpauthUri(SECRET, { issuer: "Posthorn", account: "kim+1@example.com" })).toBe(
    "otpauth://totp/Posthorn:kim%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Posthorn&algorithm=SHA1&digits=6&period=30",
  );
});
