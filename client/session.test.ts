import { describe, expect, it } from "vitest";
import { returnPath, signInPath } from "./session.ts";

const ORIGIN = "https://posthorn.example";

describe("the way back from signing in", () => {
  it("leads to where one was, filters and all", () => {
    const here = "/deliveries?status=failed&q=a%26b";

    const next = new URL(signInPath(here), ORIGIN).searchParams.get("next");

    expect(returnPath(next, ORIGIN)).toBe(here);
  });

  it.each([
    "https://evil.example/",
    "//evil.example/x",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "deliveries",
    "",
    null,
  ])("leads nowhere else: %j", (next) => {
    const path = returnPath(next, ORIGIN);

    expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
    expect(path).toBe("/");
  });

  it("never leads back to the sign-in page", () => {
    expect(signInPath("/sign-in?next=%2F")).toBe("/sign-in");
  });
});
