import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { staffUsers } from "#db/schema/staff.ts";
import { newRootKey } from "#server/crypto/keyring.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createLogger, redact } from "./logger.ts";

/** What leaves a logger, one entry a line. */
function newLog() {
  const lines: string[] = [];
  const log = createLogger({
    name: "test",
    level: "info",
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "") as Record<string, unknown> };
}

describe("what looks like a secret", () => {
  const KEY = newRootKey("k1");
  const SECRETS: [text: string, secret: string][] = [
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    ["ph_live_3kTmXa_9vQ2nRtYbC5dEfGhJkLmNpQrStUvWxYz", "9vQ2nRtYbC5dEfGhJkLmNpQrStUvWxYz"],
    [`/portal/posthorn_portal_${"Zw9".repeat(16)}A?x=1`, "Zw9".repeat(16)],
    ["postgres://posthorn:pa55word@db:5432/posthorn", "pa55word"],
    ["postgresql://posthorn:p@55w@rd@db/posthorn", "55w"],
    ["postgres://:pa55word@db/posthorn", "pa55word"],
    ["Authorization: Bearer abc.def-ghi", "abc.def-ghi"],
    ["basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    [`ENCRYPTION_KEYS=${KEY}`, KEY.slice(3)],
  ];

  it.each(SECRETS)("does not leave: %s", (text, secret) => {
    const { log, lines } = newLog();
    log.info({ text, nested: [{ text: JSON.stringify({ text }) }] }, text);
    log.error({ err: new Error(text, { cause: new Error(text) }) });
    log.child({ text }).warn("bound");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).not.toContain(secret);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it("is replaced without breaking the line, wherever it stands", () => {
    const secret = fc.constantFrom(...SECRETS.map(([text]) => text));
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, text, after) => {
        const value = { text: before + text + after, json: JSON.stringify([before, text, after]) };
        expect(() => JSON.parse(redact(JSON.stringify(value)))).not.toThrow();
      }),
    );
  });

  it("is all that is replaced", () => {
    const plain = "evt_0192f0c1 delivered to https://example.com/hook?x=1 in 12:30:45, sha256=ab12";
    expect(redact(plain)).toBe(plain);
  });
});

describe("an error", () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = connect(database.url, { name: "logger-test" });
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });

  const logged = async (failing: Promise<unknown>) => {
    const { log, lines, last } = newLog();
    log.error({ err: await failing.catch((error: unknown) => error) }, "failed");
    return { line: lines[0] ?? "", err: last().err as Record<string, unknown> };
  };

  it("of the database leaves without the values of the row", async () => {
    await db.query("create table people (email text primary key, age int check (age > 0))");
    await db.query("insert into people values ('mary@example.com', 7)");
    const taken = await logged(db.query("insert into people values ($1, 8)", ["mary@example.com"]));
    expect(taken.err).toMatchObject({ type: "DatabaseError", code: "23505" });
    expect(taken.line).not.toContain("mary@example.com");
    const unreadable = await logged(db.query("select $1::int", ["my own words"]));
    expect(unreadable.err).toMatchObject({ code: "22P02" });
    expect(unreadable.err.message).toContain("invalid input syntax");
    expect(unreadable.line).not.toContain("my own words");
  });

  it("of the query builder leaves without the parameters", async () => {
    const row = { id: "u1", name: "Mary", email: "mary@example.com" } as typeof staffUsers.$inferInsert;
    await db.orm.insert(staffUsers).values(row);
    const { line, err } = await logged(Promise.resolve(db.orm.insert(staffUsers).values(row)));
    expect(err.message).toContain("Failed query: insert into");
    expect(err.stack).toContain("at ");
    expect(err.cause).toMatchObject({ code: "23505" });
    expect(line).not.toContain("mary@example.com");
  });

  it("keeps its type, message, code, stack and cause", () => {
    const { log, last } = newLog();
    log.error({
      err: Object.assign(new TypeError("no", { cause: new RangeError("why") }), { code: "E_NO" }),
    });
    expect(last()).toMatchObject({
      level: "error",
      name: "test",
      err: { type: "TypeError", message: "no", code: "E_NO", cause: { type: "RangeError", message: "why" } },
    });
  });
});
