import { uuidv7 } from "uuidv7";
import type { Tx } from "#db/client.ts";
import { insertTenant } from "#db/queries/tenants.ts";

/** Makes a tenant with an empty event feed; gives its plain id. */
export async function createTenant(tx: Tx, tenant: { name: string; now: Date }): Promise<{ id: string }> {
  const id = uuidv7();
  await insertTenant(tx, { id, name: tenant.name, createdAt: tenant.now });
  return { id };
}
