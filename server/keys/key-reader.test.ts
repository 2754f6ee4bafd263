import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { type ApiKeyParts, CHECKSUM_LENGTH, checksum, newApiKey } from "../domain/api-key.ts";
import { type FoundKey, KeyReader } from "./key-reader.ts";

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

const made = () => newApiKey((below) => randomInt(below));
const [A, B, C, Z, UNKNOWN] = [made(), made(), made(), made(), made()] as const;
const row = ({ publicId, secretHash }: ApiKeyParts, name: string) => ({
  publicId,
  secretHash,
  name,
  scopes: [],
});
const nameOf = async (key: Promise<FoundKey | undefined>) => {
  const found = await key;
  return found && (found.row as unknown as { name: string }).name;
};

const waitFor = ({ lookUps }: { lookUps: unknown[] }, count: number) =>
  expect.poll(() => lookUps.length).toBe(count);

describe("the key reader", () => {
  it("asks in one look-up for all that come at the same time, or while another is under way", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const first = [A, Z].map(({ key }) => reader.find(key));
    await waitFor(database, 1);
    const later = [B, C, B, UNKNOWN].map(({ key }) => reader.find(key));
    expect(lookUps.map(({ ids }) => ids)).toEqual([[A.publicId, Z.publicId]]);
    lookUps[0]?.answer.resolve([row(A, "A")]);
    expect(await Promise.all(first.map(nameOf))).toEqual(["A", undefined]);
    await waitFor(database, 2);
    expect(lookUps[1]?.ids).toEqual([B.publicId, C.publicId, UNKNOWN.publicId]);
    lookUps[1]?.answer.resolve([row(C, "C"), row(B, "B")]);
    expect(await Promise.all(later.map(nameOf))).toEqual(["B", "C", "B", undefined]);
  });

  it("tells two keys of one public id apart that come at the same time, and asks once for both", async () => {
    const database = heldDatabase();
    const reader = new KeyReader(database.db);
    const secret = B.key.slice(B.key.indexOf(B.publicId) + B.publicId.length, -CHECKSUM_LENGTH);
    const body = `ph_live_${A.publicId}${secret}`;
    const asked = [A.key, body + checksum(body)].map((key) => reader.find(key));
    await waitFor(database, 1);
    expect(database.lookUps[0]?.ids).toEqual([A.publicId]);
    database.lookUps[0]?.answer.resolve([row(A, "A")]);
    expect(await Promise.all(asked.map(nameOf))).toEqual(["A", undefined]);
  });

  it("never answers from a look-up that began before it was asked", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const before = reader.find(A.key);
    await waitFor(database, 1);
    const after = reader.find(A.key);
    lookUps[0]?.answer.resolve([row(A, "valid")]);
    expect(await nameOf(before)).toBe("valid");
    await waitFor(database, 2);
    lookUps[1]?.answer.resolve([row(A, "revoked")]);
    expect(await nameOf(after)).toBe("revoked");
  });

  it("tells all who wait of a look-up that failed, and goes on", async () => {
    const database = heldDatabase();
    const { db, lookUps } = database;
    const reader = new KeyReader(db);
    const failed = reader.find(A.key);
    await waitFor(database, 1);
    lookUps[0]?.answer.reject(new Error("connection lost"));
    await expect(failed).rejects.toThrow("connection lost");
    const next = reader.find(A.key);
    await waitFor(database, 2);
    lookUps[1]?.answer.resolve([]);
    expect(await next).toBeUndefined();
  });
});
