import { uuidv7 } from "uuidv7";
import { expect, it } from "vitest";
import type { DeliveryStatus } from "#contracts/deliveries.ts";
import { withTransaction } from "#db/client.ts";
import { moveToJobs } from "#db/queries/delivering.ts";
import { listDeliveries } from "#db/queries/list-deliveries.ts";
import { enqueueDeliveries } from "#server/queue/boss.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openHoldingReceiver } from "./fixtures/http-receiver.ts";
import type { TestEngine } from "./test-support.ts";

/** However busy the machine is. */
const soon = <T>(check: () => T | Promise<T>) => eventually(check, 40_000);

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** How many deliveries a list of one state has. Each is shown in the state that was asked for. */
async function count(status: DeliveryStatus): Promise<number> {
  const filter = { ids: [], endpointIds: [], eventIds: [], statuses: [status] };
  const page = { limit: 100, from: null, backward: false };
  const rows = await listDeliveries(engine.db, engine.tenantId, filter, page);
  for (const row of rows) expect(row.status).toBe(status);
  return rows.length;
}

it("lists the delivery of an ordered endpoint that is being sent as in flight, and those behind it as pending", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin, ordered: true });
  await engine.publish("OrderCreated", 20);
  await engine.startWorker();
  await soon(() => expect(receiver.received).toHaveLength(1));
  await soon(async () => {
    const [inFlight, pending] = [await count("in_flight"), await count("pending")];
    expect(inFlight).toBeGreaterThan(0);
    expect(inFlight + pending).toBe(20);
  });
  receiver.letGo("answer");
  await soon(async () => expect(await count("delivered")).toBe(20));
  expect((await count("in_flight")) + (await count("pending"))).toBe(0);
});

it("lists one that may take its worker with it as in flight while it goes alone", async () => {
  const receiver = await openHoldingReceiver();
  await engine.addEndpoint({ url: receiver.origin });
  await engine.publish("OrderCreated", 2);
  const { tenantId } = engine;
  const moves = (await engine.deliveries()).map((each) => ({ ...each, tenantId, toJobId: uuidv7() }));
  await withTransaction(engine.db, async (tx) => {
    const jobs = moves.map(({ id, toJobId }) => ({ id: toJobId, tenantId, deliveryIds: [id] }));
    await enqueueDeliveries(engine.boss, tx, "deliver-suspect", jobs);
    await moveToJobs(tx, moves);
  });
  await engine.startWorker();
  await soon(() => expect(receiver.received).toHaveLength(1));
  expect([await count("in_flight"), await count("pending")]).toEqual([1, 1]);
  receiver.letGo("answer");
  await soon(async () => expect(await count("delivered")).toBe(2));
});
