import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verify } from "#receiver/index.ts";
import { createLogger } from "#server/log/logger.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { DatabaseClock } from "./database-clock.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { openEngine, type TestEngine } from "./test-support.ts";

const HOUR_MS = 3_600_000;

describe("a clock", () => {
  const at = (localMs: number, databaseMs: number, tookMs = 2) => {
    const clock = new DatabaseClock(() => localMs);
    clock.learn({ localMs, databaseMs, tookMs });
    return clock;
  };

  it("is this machine's as long as it differs by no more than a second", () => {
    for (const skewMs of [0, 1, -1, 999, -999]) {
      const clock = at(1_000_000 + skewMs, 1_000_000, 0);
      expect([clock.now(), clock.skewMs]).toEqual([1_000_000 + skewMs, skewMs]);
    }
  });

  it("is the database's beyond that", () => {
    for (const skewMs of [1_001, -1_001, 300_000, -HOUR_MS, 365 * 24 * HOUR_MS]) {
      const clock = at(1e12 + skewMs, 1e12, 0);
      expect([clock.now(), clock.skewMs]).toEqual([1e12, skewMs]);
    }
  });

  it("takes no question that was long under way for a wrong clock, and forgets no wrong one by it", () => {
    let localMs = 1e12;
    const clock = new DatabaseClock(() => localMs);
    clock.learn({ localMs, databaseMs: 1e12 - 4_000, tookMs: 8_000 });
    expect(clock.now()).toBe(1e12);
    clock.learn({ localMs, databaseMs: 1e12 - HOUR_MS, tookMs: 0 });
    localMs += 5_000;
    clock.learn({ localMs, databaseMs: 1e12, tookMs: 10_000 });
    expect(clock.now()).toBe(1e12 - HOUR_MS + 5_000);
    clock.learn({ localMs, databaseMs: localMs, tookMs: 0 });
    expect(clock.now()).toBe(localMs);
  });
});

describe("a worker whose machine's clock is wrong", () => {
  let database: TestDatabase;
  let engine: TestEngine;
  beforeAll(async () => {
    database = await createTestDatabase();
    engine = await openEngine(database.url);
  });
  beforeEach(() =>
    engine.db.query(
      "truncate webhook_endpoints, endpoint_secrets, deliveries, undelivered, attempts cascade",
    ),
  );
  afterAll(async () => {
    await engine?.close();
    await database?.drop();
  });

  it.each([HOUR_MS, -HOUR_MS])(
    "by %i ms signs and retries by the database's, and says so",
    async (skewMs) => {
      const receiver = await openReceiver((request) =>
        request.answer(request.headers["x-attempt"] === "1" ? 503 : 200),
      );
      const { secret } = await engine.addEndpoint({ url: receiver.origin });
      const lines: Record<string, unknown>[] = [];
      const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
      await engine.startWorker({
        clock: new DatabaseClock(() => Date.now() + skewMs),
        log: createLogger({ name: "test", level: "warn", destination }),
      });
      await engine.publish("a");
      await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1 }));

      expect(receiver.received).toHaveLength(2);
      for (const { headers, body } of receiver.received)
        verify({ secrets: { v1: secret }, headers: new Headers(headers as Record<string, string>), body });
      const [first] = await engine.attempts();
      expect(Math.abs(Number(first?.startedAt) - Date.now())).toBeLessThan(60_000);
      expect(Math.abs(Number(first?.nextAttemptAt) - Date.now())).toBeLessThan(60_000);
      expect(lines).toMatchObject([
        { skewMs: expect.closeTo(skewMs, -4), msg: "this machine's clock is wrong; the database's is used" },
      ]);
    },
  );
});
