import { describe, expect, it } from "vitest";
import { printable } from "./response-headers.ts";

describe("the value of a header", () => {
  it("is cut where it is long, and has every character that cannot be printed replaced", () => {
    expect(printable("1.1 a, 1.1 b")).toBe("1.1 a, 1.1 b");
    expect(printable("caf\u00e9\u0000\ttab")).toBe("caf???tab");
    expect(printable(`https://example.com/${"x".repeat(1000)}`)).toHaveLength(256);
  });
});
