import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db } from "#db/client.ts";
import { purgeFullBuckets } from "#db/queries/rate-buckets.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { createLogger } from "../log/logger.ts";
import { RateLimiter } from "./rate-limiter.ts";

const RATE = { perSecond: 100 };
const log = createLogger({ name: "test", level: "silent" });

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "limits-test" });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** A process of an installation, whose clock stands still until it is moved. */
function process(conn = db) {
  const clock = { ms: 1_000_000 * Math.random() };
  const limiter = new RateLimiter({ db: conn, log, nowMs: () => clock.ms });
  const takeAll = (name: string, upTo = 1_000) => {
    let taken = 0;
    while (taken < upTo && limiter.take(name, 1, RATE)) taken++;
    return taken;
  };
  return { clock, limiter, takeAll };
}

describe("processes on one database", () => {
  it("share a limit, however far apart their clocks are", async () => {
    const [a, b] = [process(), process()];
    expect(a.takeAll("shared", 120)).toBe(120);
    expect(b.takeAll("shared", 30)).toBe(30);
    await a.limiter.share();
    await b.limiter.share();
    // The time that the database's clock went on meanwhile gives back a little.
    const left = b.limiter.level("shared", RATE).remaining;
    expect(left).toBeGreaterThanOrEqual(50);
    expect(left).toBeLessThan(150);
    expect(b.takeAll("shared")).toBe(left);
    await b.limiter.share();
    a.takeAll("shared", 1);
    await a.limiter.share();
    expect(a.limiter.level("shared", RATE).remaining).toBeLessThan(100);
  });

  it("together give what one alone would: what both gave before they knew of each other is waited off", async () => {
    const started = performance.now();
    const limiters = [new RateLimiter({ db, log }), new RateLimiter({ db, log })];
    let given = 0;
    let seconds = 0;
    while (seconds < 3.5) {
      for (const limiter of limiters) while (limiter.take("busy", 1, RATE)) given++;
      seconds = (performance.now() - started) / 1_000;
      await Promise.all(limiters.map((limiter) => limiter.share()));
    }
    await Promise.all(limiters.map((limiter) => limiter.close()));
    const alone = 200 + 100 * seconds;
    expect(given).toBeGreaterThan(alone - 100);
    expect(given).toBeLessThan(alone + 100);
  });

  it("do not deadlock over many buckets, and count each use once", async () => {
    const all = Array.from({ length: 8 }, () => process());
    const names = Array.from({ length: 300 }, (_, n) => `many:${n}`);
    for (let round = 0; round < 5; round++) {
      for (const [index, { limiter }] of all.entries())
        for (const name of index % 2 ? names : names.toReversed()) limiter.take(name, 1, RATE);
      await Promise.all(all.map(({ limiter }) => limiter.share()));
    }
    const rows = await db.query<{ bucket: string; full: number }>(
      "select bucket, full_at_ms - extract(epoch from now())::float8 * 1000 as full from rate_buckets where bucket like 'many:%'",
    );
    expect(rows).toHaveLength(300);
    for (const { full } of rows) expect(full).toBeLessThanOrEqual(8 * 5 * 10 + 1);
  });
});

describe("a process", () => {
  it("shares by itself while there is traffic, and then no more", async () => {
    const limiter = new RateLimiter({ db, log });
    expect(limiter.take("own", 5, RATE)).toBe(true);
    await expect.poll(async () => (await stored("own")).length).toBe(1);
    await expect.poll(() => limiter.size).toBe(0);
    await limiter.close();
  });

  it("keeps to its own count, which what it learns never lowers", async () => {
    const { limiter, takeAll } = process();
    expect(takeAll("exact")).toBe(200);
    await limiter.share();
    expect(limiter.level("exact", RATE).remaining).toBe(0);
  });

  it("goes on by itself while the database is away, and tells what it took when it is back", async () => {
    const away = connect("postgres://nobody@127.0.0.1:1/none", { name: "test" });
    let current = away;
    const switching = { query: (...query: Parameters<Db["query"]>) => current.query(...query) } as Db;
    const { limiter, takeAll, clock } = process(switching);
    expect(takeAll("away")).toBe(200);
    await limiter.share();
    clock.ms += 100;
    expect(takeAll("away")).toBe(10);
    current = db;
    await limiter.share();
    const [row] = await stored("away");
    expect(row?.full).toBeGreaterThan(1_900);
    await away.close();
  });

  it("forgets buckets that are full again, however many there were", async () => {
    const { limiter, clock } = process();
    for (let n = 0; n < 10_000; n++) limiter.take(`idle:${n}`, 1, RATE);
    expect(limiter.size).toBe(10_000);
    await limiter.share();
    clock.ms += 2_000;
    limiter.take("idle:last", 1, RATE);
    await limiter.share();
    expect(limiter.size).toBe(1);
    await limiter.close();
  });

  it("makes no query when nothing was taken", async () => {
    const none = { query: () => Promise.reject(new Error("was asked")) } as unknown as Db;
    const { limiter } = process(none);
    expect(limiter.level("quiet", RATE).remaining).toBe(200);
    await limiter.share();
    expect(limiter.size).toBe(0);
  });
});

describe("the purge", () => {
  it("takes what has been full for a minute, a few at a time, and nothing else", async () => {
    await db.query("delete from rate_buckets");
    await db.query(
      `insert into rate_buckets select 'old:' || n, extract(epoch from now()) * 1000 - 61000 from generate_series(1, 5) n
       union all select 'new', extract(epoch from now()) * 1000 - 30000`,
    );
    expect([
      await purgeFullBuckets(db, 3),
      await purgeFullBuckets(db, 3),
      await purgeFullBuckets(db, 3),
    ]).toEqual([3, 2, 0]);
    expect(await stored("new")).toHaveLength(1);
  });
});

/** What the database has of a bucket: milliseconds until it is full. */
function stored(bucket: string): Promise<{ full: number }[]> {
  return db.query(
    "select full_at_ms - extract(epoch from now())::float8 * 1000 as full from rate_buckets where bucket = $1",
    [bucket],
  );
}
