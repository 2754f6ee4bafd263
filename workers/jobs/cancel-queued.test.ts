import { afterAll, beforeAll, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { disableEndpoint } from "#server/deliveries/disable-endpoint.ts";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { openEngine, type TestEngine } from "../delivery/test-support.ts";
import { cancelQueued } from "./cancel-queued.ts";

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

it("cancels thousands of deliveries of the endpoint that was disabled, in parts, and no other", async () => {
  const gone = await engine.addEndpoint({ url: "https://example.com", eventTypes: ["Gone"] });
  const other = await engine.addEndpoint({ url: "https://example.com", eventTypes: ["Other"] });
  await engine.publish("Gone", 2_500);
  await engine.publish("Other", 10);
  const [delivery] = await engine.deliveries();
  await engine.db.query("update deliveries set status = 'delivered' where id = $1", [delivery?.id]);
  const disable = () =>
    withTransaction(engine.db, (tx) =>
      disableEndpoint(tx, engine.boss, {
        tenantId: engine.tenantId,
        deliveryId: delivery?.id ?? "",
        reason: "gone",
      }),
    );
  await disable();
  await disable();

  expect(await cancelQueued(engine)).toBe(true);
  const mine = (await engine.deliveries()).filter(({ endpointId }) => endpointId === gone.id);
  expect(mine.filter(({ status }) => status === "cancelled")).toHaveLength(2_499);
  expect(mine.every(({ status, nextAttemptAt }) => status === "delivered" || nextAttemptAt === null)).toBe(
    true,
  );
  const others = (await engine.deliveries()).filter(({ endpointId }) => endpointId === other.id);
  expect(others.every(({ status }) => status === "pending")).toBe(true);
  expect(await cancelQueued(engine)).toBe(false);
});
