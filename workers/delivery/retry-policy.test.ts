import { describe, expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import type { TestEngine } from "./test-support.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

describe("an endpoint with a retry policy", () => {
  it("is tried as often as it says, after its pauses, whichever worker has it", async () => {
    const receiver = await openReceiver(({ answer }) => answer(500));
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.db.query("update webhook_endpoints set retry_policy = $2, version = 2 where id = $1", [
      id,
      { max_attempts: 3, schedule_seconds: [100, 200] },
    ]);
    await Promise.all([engine.startWorker(), engine.startWorker()]);
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(async () =>
      expect(await engine.deliveries()).toMatchObject([
        { status: "failed", attempts: 3, failureClass: "exhausted" },
      ]),
    );
    const pauses = (await engine.attempts()).map(
      ({ startedAt, nextAttemptAt }) => nextAttemptAt && nextAttemptAt.getTime() - startedAt.getTime(),
    );
    expect(pauses).toEqual([expect.any(Number), expect.any(Number), null]);
    expect(pauses[0]).toBeGreaterThanOrEqual(80);
    expect(pauses[1]).toBeGreaterThanOrEqual(160);
  });
});
