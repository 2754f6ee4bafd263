import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { newApiKey, parseApiKey } from "./api-key.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("API keys", () => {
  it("are made of a public id, a secret of 190 bits and a checksum", () => {
    const { key, publicId, secretHash } = newApiKey(randomInt);
    expect(key).toMatch(/^ph_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/);
    expect(parseApiKey(key)).toEqual({ publicId, secretHash });
    expect(newApiKey(randomInt).key).not.toBe(key);
  });

  it("carry the CRC-32 of everything before it, in base 62", () => {
    const { key } = newApiKey(randomInt);
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + ALPHABET.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });

  it("are refused after the change of any one character", () => {
    const { key } = newApiKey(randomInt);
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === "x" ? "y" : "x";
      expect(parseApiKey(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`).toBeUndefined();
    }
  });

  it.each(["", "ph_live_", "Bearer", "ph_live_a_b"])("are not %j", (text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });
});
