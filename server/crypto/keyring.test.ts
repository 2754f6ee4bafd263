import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyring, newRootKey, parseRootKeys } from "./keyring.ts";

const keyOf = (id: string) => parseRootKeys(newRootKey(id));
const SECRET = "whsec_dGhlIHNlY3JldCBvZiBhbiBlbmRwb2ludCBpcyB0aGlz";

describe("sealing", () => {
  const keyring = createKeyring(keyOf("k1"));
  const sealed = keyring.seal(SECRET, "row/1");

  it("opens what was sealed, in the same row only", () => {
    expect(keyring.open(sealed, "row/1")).toBe(SECRET);
    expect(() => keyring.open(sealed, "row/2")).toThrow();
    expect(keyring.open(keyring.seal("", "row/1"), "row/1")).toBe("");
  });

  it("shows nothing of the secret, and never the same twice", () => {
    const other = keyring.seal(SECRET, "row/1");
    expect(other).not.toBe(sealed);
    for (const text of [sealed, other])
      for (const encoding of ["utf8", "base64", "base64url", "hex"] as const)
        expect(text).not.toContain(Buffer.from(SECRET).toString(encoding).slice(0, 12));
  });

  it("opens nothing in which one character was changed", () => {
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === "A" ? "B" : "A") + sealed.slice(i + 1);
      // The last character of a part may hold bits that mean nothing.
      const opened = (() => {
        try {
          return keyring.open(changed, "row/1");
        } catch {
          return undefined;
        }
      })();
      if (opened !== undefined) expect(opened).toBe(SECRET);
      if (sealed[i + 1] !== "." && i + 1 < sealed.length) expect(opened).toBeUndefined();
    }
  });

  it("refuses a tag that was cut short", () => {
    const parts = sealed.split(".");
    const short = Buffer.from(parts[4] ?? "", "base64url")
      .subarray(0, 4)
      .toString("base64url");
    expect(() => keyring.open([...parts.slice(0, 4), short].join("."), "row/1")).toThrow();
    expect(() => keyring.open("v1.k1..", "row/1")).toThrow("not a sealed value");
    expect(() => keyring.open("", "row/1")).toThrow();
  });
});

describe("root keys", () => {
  it("seal with the newest and open with any", () => {
    const [older, newer] = [keyOf("k1"), keyOf("k2")];
    const before = createKeyring(older).seal(SECRET, "row");
    const rotated = createKeyring([...newer, ...older]);
    expect(rotated.open(before, "row")).toBe(SECRET);
    const after = rotated.seal(SECRET, "row");
    expect(createKeyring(newer).open(after, "row")).toBe(SECRET);
    expect(() => createKeyring(older).open(after, "row")).toThrow("does not hold");
  });

  it("do not open what another key of the same name sealed", () => {
    const sealed = createKeyring(keyOf("k1")).seal(SECRET, "row");
    expect(() => createKeyring(keyOf("k1")).open(sealed, "row")).toThrow();
  });

  it("sign for one purpose each, and verify by the id of the key", () => {
    const [older, newer] = [keyOf("k1"), keyOf("k2")];
    const { keyId, mac } = createKeyring(older).sign("cursor", "data");
    const rotated = createKeyring([...newer, ...older]);
    expect(rotated.mac("cursor", keyId, "data")).toEqual(mac);
    expect(rotated.mac("session", keyId, "data")).not.toEqual(mac);
    expect(rotated.mac("cursor", "k2", "data")).not.toEqual(mac);
    expect(rotated.mac("cursor", "k3", "data")).toBeUndefined();
    expect(rotated.sign("cursor", "data").keyId).toBe("k2");
  });

  it("give derived secrets that stay the same while keys are added", () => {
    const older = keyOf("k1");
    const derived = createKeyring(older).derive("session");
    expect(derived).toMatch(/^[0-9a-f]{64}$/);
    expect(createKeyring([...keyOf("k2"), ...older]).derive("session")).toBe(derived);
    expect(createKeyring(older).derive("metrics")).not.toBe(derived);
  });

  it("are read newest first, and a bad one is named by its place without being shown", () => {
    const text = `${newRootKey("b")}, ${newRootKey("a")}`;
    expect(parseRootKeys(text).map(({ id }) => id)).toEqual(["b", "a"]);
    const short = randomBytes(16).toString("base64");
    for (const bad of [
      "",
      "k1",
      `k1:${short}`,
      `:${short}`,
      `${newRootKey("k1")}:x`,
      `${newRootKey("k 1")}`,
    ]) {
      const error = (() => {
        try {
          return parseRootKeys(`${newRootKey("first")},${bad}`);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).toBe("Error: entry 2 is not <id>:<base64 of 32 bytes>");
    }
  });

  it("have no id twice, for the sealed values of one of them could never be opened", () => {
    expect(() => parseRootKeys(`${newRootKey("k1")},${newRootKey("k1")}`)).toThrow("entry 2 has the id");
    expect(() => createKeyring([])).toThrow("no key");
  });
});
