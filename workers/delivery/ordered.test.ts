import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { reconcileOrdered } from "#workers/jobs/queue-pending.ts";
import { reconcile } from "#workers/jobs/reconcile.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { delivered, expectNoQueue, openOrdered } from "./fixtures/ordered.ts";
import { forkWorker } from "./fixtures/worker-process.ts";
import { expectWholeLog, type TestEngine } from "./test-support.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const poison = { NODE_OPTIONS: `--import=${fileURLToPath(new URL("fixtures/poison.mjs", import.meta.url))}` };

it("keeps the order while deliveries fail at random, two workers share the work and one of them is killed", async () => {
  const seed = Math.trunc(Math.random() * 1e9);
  // A hash of seed, endpoint, event and try decides, so that a seed can be tried again.
  const draw = (...parts: (string | number)[]) =>
    createHash("sha1")
      .update([seed, ...parts].join("/"))
      .digest()
      .readUInt32BE() % 100;
  const ordered = await Promise.all(
    [0, 1, 2].map((which) =>
      openOrdered((sequence, { headers }) => {
        const drawn = draw(which, sequence, String(headers["x-attempt"]));
        return drawn < 15 ? 500 : drawn < 20 ? 400 : 200;
      }),
    ),
  );
  for (const { receiver } of ordered) await engine.addEndpoint({ url: receiver.origin, ordered: true });
  const other = await openReceiver();
  await engine.addEndpoint({ url: other.origin });
  const workers = [await forkWorker(engine), await forkWorker(engine)];
  const total = 240;
  const publishing = (async () => {
    for (let made = 0; made < total; made += 12) {
      await engine.publish("OrderCreated", 12);
      engine.wake();
    }
  })();
  await eventually(() => expect(ordered[0]?.log.firsts.length).toBeGreaterThan(40));
  workers[0]?.kill("SIGKILL");
  await forkWorker(engine);
  await publishing;
  await eventually(async () => {
    const { pending, ...ended } = await engine.statuses();
    expect(pending, `seed ${seed}`).toBeUndefined();
    expect(Object.values(ended).reduce((sum, count) => sum + count, 0)).toBe(4 * total);
  }, 60_000);
  expect(other.received.length).toBeGreaterThanOrEqual(total);
  for (const { log } of ordered) {
    expect(log.firsts, `seed ${seed}`).toHaveLength(total);
    log.expectOrder();
  }
  await expectWholeLog(engine);
  await expectNoQueue(engine);
});

describe("an ordered endpoint", () => {
  it("gets a backlog one after the other, at the pace of its answers", async () => {
    const { log, receiver } = await openOrdered(() => 200);
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 2_000);
    await engine.startWorker();
    await delivered(engine, 2_000, 40_000);
    log.expectOrder();
    expect(log.mostOpen).toBe(1);
    expect(receiver.received).toHaveLength(2_000);
    await expectNoQueue(engine);
  });

  it("is not sent what comes after a delivery that waits for its retry, which costs nothing meanwhile", async () => {
    let isWell = false;
    const { log, receiver } = await openOrdered((sequence) => (sequence === 3 && !isWell ? 500 : 200));
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    const other = await openReceiver();
    await engine.addEndpoint({ url: other.origin });
    await engine.publish("OrderCreated", 100);
    // Five seconds until the next try, and no other job of the endpoint until then.
    await engine.startWorker({ retryScale: 1 });
    await eventually(() => expect(other.received).toHaveLength(100));
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 102, pending: 98 }));
    const jobs = () =>
      engine.db.query(
        "select id, start_after > now() as later from pgboss.job where name = 'deliver-ordered' and state = 'created'",
      );
    const [job] = await eventually(async () => {
      const found = await jobs();
      expect(found).toMatchObject([{ later: true }]);
      return found;
    });
    await engine.publish("OrderCreated", 10);
    engine.wake();
    await eventually(() => expect(other.received).toHaveLength(110));
    expect(await jobs()).toEqual([job]);
    expect(log.firsts).toEqual([1, 2, 3]);
    isWell = true;
    await delivered(engine, 220);
    log.expectOrder();
    expect(receiver.received).toHaveLength(111);
    await expectNoQueue(engine);
  });

  it("goes on after a delivery that has failed for good", async () => {
    const { log, receiver } = await openOrdered((sequence) => (sequence % 3 === 0 ? 400 : 200));
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 30);
    await engine.startWorker();
    await eventually(async () => expect(await engine.statuses()).toEqual({ failed: 10, delivered: 20 }));
    log.expectOrder();
    await expectNoQueue(engine);
  });

  it("is looked at again although its job was lost", async () => {
    const { log, receiver } = await openOrdered(() => 200);
    await engine.addEndpoint({ url: receiver.origin, ordered: true });
    await engine.publish("OrderCreated", 10);
    await engine.db.query("delete from pgboss.job where name = 'deliver-ordered'");
    await engine.startWorker();
    expect(await reconcile(engine)).toEqual({ strays: 0, next: undefined });
    expect(await reconcileOrdered(engine)).toBe(1);
    await delivered(engine, 10);
    log.expectOrder();
    expect(await reconcileOrdered(engine)).toBe(0);
    await expectNoQueue(engine);
  });

  it("goes on after a delivery that takes its workers with it, and holds nobody else responsible", async () => {
    const { log, receiver } = await openOrdered(() => 200);
    await engine.addEndpoint({ url: receiver.origin, eventTypes: ["OrderCreated"], ordered: true });
    await engine.publish("OrderCreated", 20);
    await engine.publish("OrderCreated", 1, '{"note":"POISON"}');
    await engine.publish("OrderCreated", 20);
    const done = async () => expect((await engine.statuses()).pending).toBeUndefined();
    for (let crashes = 0; ; crashes++) {
      // Once more than four times at most, when its last run had others behind it.
      expect(crashes).toBeLessThanOrEqual(5);
      const worker = await forkWorker(engine, poison);
      const isDone = eventually(done, 20_000).then(() => true);
      if (await Promise.race([worker.ended.then(() => false), isDone.catch(() => true)])) break;
      isDone.catch(() => {});
    }
    expect(await engine.statuses()).toEqual({ delivered: 40, failed: 1 });
    log.ended.add(21);
    log.expectOrder();
    expect(log.firsts).toHaveLength(40);
    await expectWholeLog(engine);
    await expectNoQueue(engine);
  });
});
