import { beforeEach, describe, expect, it } from "vitest";
import type { SettleRow } from "#db/queries/settle.ts";
import { engineFor } from "#tests/engine-for.ts";
import { Settler, type Written } from "./settler.ts";
import { claimOne, expectNothingLeft, resultOf, type TestEngine } from "./test-support.ts";
import type { Chunk } from "./types.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});
beforeEach(() => engine.addEndpoint({ url: "https://example.com" }));

/** Has a worker write results at once; gives what it tells of that. */
async function settle(worker: number, results: readonly [SettleRow, Chunk][]): Promise<Written[]> {
  const written: Written[] = [];
  const settler = new Settler({
    ...engine,
    aftermath: { store: async () => {} },
    worker: () => worker,
    onWritten: (what) => written.push(what),
  });
  for (const [row, chunk] of results) settler.settle(row, chunk);
  await settler.drain(Number.POSITIVE_INFINITY);
  return written;
}

describe("a result that comes late", () => {
  it("completes the try that was logged as lost, and leaves the delivery and its job to who has them", async () => {
    await engine.publish("OrderCreated");
    const claimed = await claimOne(engine, 1);
    await engine.boss.fail("deliver", claimed.chunk.id);
    const again = await claimOne(engine, 2);
    expect(again.chunk.retryCount).toBe(1);

    await settle(1, [[resultOf(claimed, 200), claimed.chunk]]);
    expect(await engine.attempts()).toMatchObject([{ number: 1, outcome: "ok", responseStatus: 200 }]);
    expect(await engine.deliveries()).toMatchObject([
      { status: "pending", attempts: 1, jobId: again.chunk.id },
    ]);
    expect(await engine.leftovers()).toEqual({ claims: 1, jobs: 1 });
    expect(await engine.db.query("select worker from claims")).toEqual([{ worker: 2 }]);

    await settle(2, [[resultOf(again, 200), again.chunk]]);
    expect(await engine.attempts()).toMatchObject([{ number: 1 }, { number: 2, outcome: "ok" }]);
    expect(await engine.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
    await expectNothingLeft(engine);
  });

  it.each(["first", "last"])(
    "is told from that of the next try where both are written at once, it %s",
    async (place) => {
      await engine.publish("OrderCreated");
      const claimed = await claimOne(engine);
      await engine.boss.fail("deliver", claimed.chunk.id);
      const again = await claimOne(engine);
      const [late, next] = [resultOf(claimed, 500), resultOf(again, 200)];
      const results: [SettleRow, Chunk][] = [
        [late, claimed.chunk],
        [next, again.chunk],
      ];
      const written = await settle(1, place === "first" ? results : results.toReversed());
      const tries = (await engine.attempts()).map(
        ({ number, responseStatus: status }) => `${number}: ${status}`,
      );
      expect(tries).toEqual(["1: 500", "2: 200"]);
      expect(await engine.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
      expect(written).toMatchObject([{ late: 1, counted: [{ number: 2 }] }]);
      await expectNothingLeft(engine);
    },
  );
});
