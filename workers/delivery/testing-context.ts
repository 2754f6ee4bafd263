import type { Attempt } from "#contracts/deliveries.ts";
import { listAttempts } from "#db/queries/attempts.ts";
import { type Ctx, newContext, type Services } from "#server/context.ts";
import { createKeyring, parseRootKeys } from "#server/crypto/keyring.ts";
import { toAttempt } from "#server/deliveries/to-delivery.ts";
import { addressPolicy } from "#server/domain/address-policy.ts";
import type { TestEngine } from "./test-support.ts";

/** A call of the API on the engine's tenant, as an API key makes it. */
export function testContext(engine: TestEngine): Ctx {
  const services = {
    ...engine,
    keyring: createKeyring(parseRootKeys(engine.encryptionKeys)),
    addressPolicy: addressPolicy({ allow: ["127.0.0.0/8"] }),
    now: () => new Date(),
    wakeWorkers: engine.wake,
  } as unknown as Services;
  return newContext(services, {
    tenantId: engine.tenantId,
    actor: { kind: "key", keyId: "k", principalId: "p", scopes: new Set() },
    requestId: "r",
    origin: "http://localhost",
    prefix: "/api/v1",
  });
}

/** The attempts of a delivery as the API shows them. */
export async function shownAttempts(engine: TestEngine, deliveryId: string): Promise<Attempt[]> {
  const page = { limit: 100, from: null, backward: false };
  const rows = await listAttempts(engine.db, { tenantId: engine.tenantId, deliveryId }, page);
  return rows.map((row) => toAttempt(row, { deliveryId, eventType: "OrderCreated", body: "{}" }));
}
