import { describe, expect, it } from "vitest";
import { passkeyRefusal } from "./passkeys.ts";

const at = (origin: string, isKnown = true) => {
  const { protocol, hostname, port } = new URL(origin);
  return passkeyRefusal({ protocol, hostname, port, isKnown });
};

describe("passkeys", () => {
  it.each([
    "https://posthorn.example",
    "https://posthorn.example:8443",
    "http://localhost:3000",
    "https://localhost",
  ])("can be used at %s", (origin) => {
    expect(at(origin)).toBeNull();
  });

  it.each([
    ["http://127.0.0.1:3000", "Open the console as http://localhost:3000 to use them."],
    ["http://[::1]", "Open the console as http://localhost to use them."],
    ["https://192.0.2.7", "Open the console under its name"],
    ["http://[2001:db8::1]:3000", "Open the console under its name"],
    ["http://posthorn.example", "https://"],
  ])("cannot at %s, and it is said what to do", (origin, advice) => {
    expect(at(origin)).toContain(advice);
  });

  it("need a browser that knows them", () => {
    expect(at("https://posthorn.example", false)).toContain("does not know passkeys");
  });
});
