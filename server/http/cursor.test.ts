import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyring, newRootKey, parseRootKeys } from "../crypto/keyring.ts";
import { AppError } from "../errors.ts";
import { type CursorBinding, decodeCursor, encodeCursor } from "./cursor.ts";

const first = newRootKey("k1");
const second = newRootKey("k2");
const keyring = createKeyring(parseRootKeys(first));
const binding: CursorBinding = {
  tenantId: "t1",
  principalId: "p1",
  list: "listOrders:100",
  filters: { status: "paid", type: ["a", "b"] },
};
const now = new Date("2026-11-21T12:00:00Z");
const later = new Date(now.getTime() + 1);
const position = { at: ["2026-11-21T11:59:59.123456Z", "9007199254740993"], backward: false };
const cursor = encodeCursor(keyring, binding, position, later);

function read(text: string, other: Partial<CursorBinding> = {}, at = now, ring = keyring) {
  try {
    return decodeCursor(ring, { ...binding, ...other }, text, at);
  } catch (error) {
    return error instanceof AppError ? `${error.slug}: ${error.message}` : error;
  }
}
const refused = read("");

describe("a cursor", () => {
  it("carries its position there and back, to the last digit, in both directions", () => {
    expect(read(cursor)).toEqual(position);
    const back = { ...position, backward: true };
    expect(read(encodeCursor(keyring, binding, back, later))).toEqual(back);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  });

  it("is refused with the same words after the change of any one character", () => {
    expect(refused).toMatch(/^invalid-cursor: /);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.stringMatching(/^[A-Za-z0-9_.-]$/), (at, character) => {
        fc.pre(cursor[at] !== character);
        expect(read(cursor.slice(0, at) + character + cursor.slice(at + 1))).toBe(refused);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is refused with the same words whatever else it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(read(text)).toBe(refused);
      }),
    );
    const [encoded, mac] = cursor.split(".");
    for (const text of [
      `${encoded}`,
      `.${mac}`,
      `${cursor}.`,
      `${cursor}=`,
      `${encoded}=.${mac}`,
      ` ${cursor}`,
    ])
      expect(read(text), text).toBe(refused);
  });

  it("is refused with the same words after the change of any one byte, and when it is cut or made longer", () => {
    const bytes = Buffer.from(cursor);
    for (const at of bytes.keys())
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ bit;
        expect(read(flipped.toString("latin1")), `bit ${bit} of byte ${at}`).toBe(refused);
      }
    for (const at of bytes.keys()) expect(read(cursor.slice(0, at))).toBe(refused);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (more) => {
        expect(read(cursor + more)).toBe(refused);
        expect(read(more + cursor)).toBe(refused);
      }),
    );
  });

  it("is good for the query that made it and for no other, whatever they are", () => {
    const text = fc.oneof(fc.constantFrom("", "a", "b", "a,b", '["a","b"]', "null", "%2C"), fc.string());
    const filters = fc.dictionary(
      fc.constantFrom("a", "b", "{path}"),
      fc.oneof(text, fc.array(text), fc.boolean()),
    );
    const bindings = fc.record({ tenantId: text, principalId: text, list: text, filters });
    // Values of a repeated filter mean the same in any order.
    const meaning = ({ filters: given, ...rest }: CursorBinding) => {
      const entries = Object.entries(given ?? {}).map(([name, value]) =>
        JSON.stringify([name, Array.isArray(value), [value].flat().sort()]),
      );
      return JSON.stringify([rest, entries.sort()]);
    };
    fc.assert(
      fc.property(bindings, bindings, fc.array(text), fc.boolean(), (own, other, at, backward) => {
        const made = encodeCursor(keyring, own, { at, backward }, later);
        expect(read(made, own)).toEqual({ at, backward });
        if (meaning(own) !== meaning(other)) expect(read(made, other)).toBe(refused);
      }),
      { numRuns: 500 },
    );
  });

  it.each<Partial<CursorBinding>>([
    { tenantId: "t2" },
    { principalId: "p2" },
    { list: "listOrders:1000" },
    { list: "listEvents:100" },
    { filters: { status: "shipped", type: ["a", "b"] } },
    { filters: { status: "paid", type: ["a"] } },
    { filters: { status: "paid" } },
    { filters: {} },
  ])("is refused for another query: %j", (other) => {
    expect(read(cursor, other)).toBe(refused);
  });

  it("does not mind the order of filters, or of the values of one", () => {
    expect(read(cursor, { filters: { type: ["b", "a"], owner: undefined, status: "paid" } })).toEqual(
      position,
    );
  });

  it("expires, unless it is made to stay", () => {
    expect(read(cursor, {}, later)).toBe(refused);
    expect(read(encodeCursor(keyring, binding, position, null), {}, new Date("2099-01-01"))).toEqual(
      position,
    );
  });

  it("outlives the rotation of the key that signed it, and not its removal", () => {
    const rotated = createKeyring(parseRootKeys(`${second},${first}`));
    expect(read(cursor, {}, now, rotated)).toEqual(position);
    const newer = encodeCursor(rotated, binding, position, later);
    expect(read(newer, {}, now, rotated)).toEqual(position);
    expect(read(newer)).toBe(refused);
    expect(read(cursor, {}, now, createKeyring(parseRootKeys(second)))).toBe(refused);
  });
});
