import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ClientEventId,
  fromId,
  ID_PREFIXES,
  type IdKind,
  idSchema,
  toId,
  uuidFloor,
  uuidTimeMs,
} from "./ids.ts";

const kinds = Object.keys(ID_PREFIXES) as IdKind[];
const kind = fc.constantFrom(...kinds);
const uuid = fc.uuid({ version: 7 });

describe("an id", () => {
  it("carries its UUID there and back, and holds no full stop", () => {
    fc.assert(
      fc.property(kind, uuid, (of, id) => {
        const text = toId(of, id);
        expect(fromId(of, text)).toBe(id);
        expect(idSchema(of).safeParse(text).success).toBe(true);
        expect(text).not.toContain(".");
      }),
    );
  });

  it("is none of another kind", () => {
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(kinds.length);
    fc.assert(
      fc.property(kind, kind, uuid, (of, other, id) => {
        fc.pre(of !== other);
        expect(fromId(other, toId(of, id))).toBeUndefined();
        expect(idSchema(other).safeParse(toId(of, id)).success).toBe(false);
      }),
    );
  });

  it("is exact: nothing before, within or after it is passed over", () => {
    fc.assert(
      fc.property(kind, uuid, fc.nat(40), fc.string({ minLength: 1, maxLength: 3 }), (of, id, at, more) => {
        const text = toId(of, id);
        const from = at % (text.length + 1);
        const spoiled = text.slice(0, from) + more + text.slice(from);
        expect(fromId(of, spoiled)).toBeUndefined();
        expect(idSchema(of).safeParse(spoiled).success).toBe(false);
      }),
    );
    const text = toId("event", "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84");
    for (const other of [text.toUpperCase(), `${text}\n`, text.slice(0, -1), text.replace("_", "-"), ""])
      expect(fromId("event", other), other).toBeUndefined();
  });

  it("never throws on any text", () => {
    fc.assert(fc.property(kind, fc.string(), (of, text) => fromId(of, text) === undefined));
  });
});

describe("the id of an event that a client makes", () => {
  it("is a UUIDv7 and of no other version or variant", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const isV7 = id[14] === "7";
        expect(ClientEventId.safeParse(toId("event", id)).success).toBe(isV7);
      }),
    );
    expect(ClientEventId.safeParse("evt_01991f6e-4c2a-7cc3-cd0e-2f7a6b1c5d84").success).toBe(false);
  });

  it("tells its time, and the floor of a time is the least id of it", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), uuid, (timeMs, id) => {
        expect(uuidTimeMs(uuidFloor(timeMs))).toBe(timeMs);
        expect(uuidFloor(uuidTimeMs(id)) <= id).toBe(true);
        expect(uuidFloor(uuidTimeMs(id) + 1) > id).toBe(true);
      }),
    );
  });
});
