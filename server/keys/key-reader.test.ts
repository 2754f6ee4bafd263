import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { KeyReader } from "./key-reader.ts";

/** A database whose look-ups are answered by hand, one after the other. */
function heldDatabase() {
  const lookUps: { ids: string[]; answer: PromiseWithResolvers<object[]> }[] = [];
  const query = (_text: string, values: [string[]]) => {
    const answer = Promise.withResolvers<object[]>();
    lookUps.push({ ids: values[0], answer });
    return answer.promise;
  };
  return { lookUps, db: { query } as unknown as Db };
}

const row = (publicId: string, name: string) => ({ publicId, name });

const waitFor = ({ lookUps }: { lookUps: unknown[] }, count: number) =>
  expect.poll(() => lookUps.length).toBe(count);

describe("the key reader", () => {
  it("asks in one look-up for all that come at the same time, or while another is under way", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const first = ["a", "z"].map((id) => reader.find(id));
    await waitFor(database, 1);
    const later = ["b", "c", "b", "unknown"].map((id) => reader.find(id));
    expect(lookUps.map(({ ids }) => ids)).toEqual([["a", "z"]]);
    lookUps[0]?.answer.resolve([row("a", "A")]);
    expect(await Promise.all(first)).toEqual([row("a", "A"), undefined]);
    await waitFor(database, 2);
    expect(lookUps[1]?.ids).toEqual(["b", "c", "unknown"]);
    lookUps[1]?.answer.resolve([row("c", "C"), row("b", "B")]);
    expect(await Promise.all(later)).toEqual([row("b", "B"), row("c", "C"), row("b", "B"), undefined]);
  });

  it("never answers from a look-up that began before it was asked", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const before = reader.find("a");
    await waitFor(database, 1);
    const after = reader.find("a");
    lookUps[0]?.answer.resolve([row("a", "valid")]);
    expect(await before).toEqual(row("a", "valid"));
    await waitFor(database, 2);
    lookUps[1]?.answer.resolve([row("a", "revoked")]);
    expect(await after).toEqual(row("a", "revoked"));
  });

  it("tells all who wait of a look-up that failed, and goes on", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const failed = reader.find("a");
    await waitFor(database, 1);
    lookUps[0]?.answer.reject(new Error("connection lost"));
    await expect(failed).rejects.toThrow("connection lost");
    const next = reader.find("a");
    await waitFor(database, 2);
    lookUps[1]?.answer.resolve([]);
    expect(await next).toBeUndefined();
  });
});
