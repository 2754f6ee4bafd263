import { expect, it } from "vitest";
import { applyHealth } from "#server/endpoints/apply-health.ts";
import { engineFor } from "#tests/engine-for.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { cancelQueued } from "./cancel-queued.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

it("cancels thousands of deliveries of the endpoint that was disabled, in parts, and no other", async () => {
  const gone = await engine.addEndpoint({ url: "https://example.com", eventTypes: ["Gone"] });
  const other = await engine.addEndpoint({ url: "https://example.com", eventTypes: ["Other"] });
  await engine.publish("Gone", 2_500);
  await engine.publish("Other", 10);
  const [delivery] = await engine.deliveries();
  await engine.db.query("update deliveries set status = 'delivered' where id = $1", [delivery?.id]);
  await engine.db.query(
    "insert into endpoint_health (tenant_id, endpoint_id, first_failure_at, gone_at) values ($1, $2, now(), now())",
    [engine.tenantId, gone.id],
  );
  const deps = { ...engine, now: () => new Date(), wakeWorkers() {}, retryScale: 1 };
  const disable = () => applyHealth(deps, { tenantId: engine.tenantId, endpointId: gone.id });
  expect([await disable(), await disable()]).toEqual([{ disable: "gone" }, undefined]);

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
