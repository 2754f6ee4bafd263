import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, withTransaction } from "#db/client.ts";
import { addToMinutes } from "#db/queries/endpoint-minutes.ts";
import { openQueue } from "#server/queue/boss.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { purgeMinutes } from "../jobs/purge-minutes.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { minutesOf } from "./minutes-of.ts";
import { openEngine, type TestEngine } from "./test-support.ts";

let database: TestDatabase;
let engine: TestEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  engine = await openEngine(database.url);
});
afterAll(async () => {
  await engine?.close();
  await database?.drop();
});

const sums = async () =>
  (
    await engine.db.query<{ endpointId: string; attempts: number; succeeded: number; answered: number }>(
      `select endpoint_id as "endpointId", sum(attempts)::int as attempts, sum(succeeded)::int as succeeded,
              sum((select sum(n) from unnest(latencies) n))::int as answered
         from endpoint_minutes group by 1`,
    )
  ).sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1));

it("adds every attempt of two workers to the figures of its endpoint, exactly once", async () => {
  const receiver = await openReceiver(({ headers, path, answer }) =>
    answer(path === "/flaky" && headers["x-attempt"] === "1" ? 500 : 200),
  );
  const one = await engine.addEndpoint({ url: `${receiver.origin}/quick` });
  const two = await engine.addEndpoint({ url: `${receiver.origin}/flaky`, maxInFlight: 50 });
  const gone = await engine.addEndpoint({ url: "http://127.0.0.1:1/", eventTypes: ["Refused"] });
  await engine.publish("OrderCreated", 500);
  await engine.publish("Refused", 1);
  const db = connect(database.url, { name: "other", maxConnections: 10, joinByIndex: true });
  const boss = openQueue(db, { supervise: false, onError: () => {} });
  await boss.start();
  await engine.startWorker();
  const other = await engine.startWorker({ db, boss });
  await eventually(async () => {
    const { pending = 0 } = await engine.statuses();
    expect(pending).toBeLessThanOrEqual(1);
    // On a slow machine the circuit breaker may open for who fails every first try: what waits goes on after that.
  }, 120_000);
  await other.stop();
  await boss.stop({ graceful: false });
  await db.close();

  // In one statement: what cannot be reached is still being tried.
  const [both] = await engine.db.query<{ logged: number; counted: number }>(
    `select (select count(*)::int from attempts) as logged,
            (select sum(attempts)::int from endpoint_minutes) as counted`,
  );
  expect(both?.counted).toBe(both?.logged);
  const figures = await sums();
  const of = (id: string) => figures.find(({ endpointId }) => endpointId === id);
  expect(of(one.id)).toMatchObject({ attempts: 501, succeeded: 501, answered: 501 });
  expect(of(two.id)).toMatchObject({ attempts: 1_002, succeeded: 501, answered: 1_002 });
  // Nobody answered, so nothing is known of how long an answer takes.
  expect(of(gone.id)).toMatchObject({ succeeded: 0, answered: 0 });
});

it("forgets what is older than 30 days, and nothing younger", async () => {
  const now = new Date();
  await engine.db.query("truncate endpoint_minutes");
  const ages = [29.9, 30.1, 31, 400];
  const tries = Array.from({ length: 6_000 }, (_, n) => ({
    tenantId: engine.tenantId,
    endpointId: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    startedAt: new Date(now.getTime() - (ages[n % 4] ?? 0) * 86_400_000),
    ...{ durationMs: 5, outcome: "ok", errorCode: null, responseStatus: 200 },
  }));
  await withTransaction(engine.db, (tx) => addToMinutes(tx, minutesOf(tries), now));
  const purge = () => purgeMinutes({ db: engine.db, now: () => now });
  const rounds = [];
  for (let isMore = await purge(); isMore; isMore = await purge()) rounds.push(isMore);
  const [left] = await engine.db.query(
    "select count(*)::int as count, min(minute) as oldest from endpoint_minutes",
  );
  expect(left).toMatchObject({ count: 1_500 });
  expect(+new Date(String(left?.oldest))).toBeGreaterThan(now.getTime() - 30 * 86_400_000);
});
