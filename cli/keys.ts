import type { Command } from "commander";
import { toId } from "#contracts/ids.ts";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import { type ListedApiKey, listApiKeys, revokeApiKey } from "#db/queries/keys.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { futureArgument, keyArgument, nameArgument, scopesArgument, tenantArgument } from "./arguments.ts";
import { change, withDatabase } from "./database.ts";
import { InputError } from "./input-error.ts";
import { printList, printMade } from "./print.ts";
import { requireTenant } from "./tenants.ts";

interface KeyOptions {
  name: string;
  scopes?: Scope[];
  expires?: Date;
}

/** `keys list|create|revoke`. */
export function addKeys(program: Command): void {
  const group = program.command("keys").description("API keys of a tenant");
  group
    .command("list")
    .description("list the keys of a tenant, newest first; never what they are made of")
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .option("--json", "print JSON")
    .action(list);
  group
    .command("create")
    .description("make a key; prints it, this once")
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .requiredOption("--name <name>", "what it is for", nameArgument)
    .option(
      "--scopes <scopes>",
      `what it may do, comma-separated; default: all. ${API_KEY_SCOPES.join(", ")}`,
      scopesArgument,
    )
    .option("--expires <time>", "when it ends, such as 2030-12-31T23:59:59Z; default: never", futureArgument)
    .action(create);
  group
    .command("revoke")
    .description("end a key at once and for good")
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .argument("<key>", "id of the key, as `keys list` shows it", keyArgument)
    .action(revoke);
}

async function list(tenantId: string, { json }: { json?: boolean }): Promise<void> {
  const keys = await withDatabase(async (db) => {
    await requireTenant(db, tenantId);
    return listApiKeys(db, tenantId);
  });
  const now = new Date();
  printList(
    keys.map((key) => shown(key, now)),
    { json, none: "The tenant has no keys." },
  );
}

async function create(tenantId: string, { name, scopes, expires }: KeyOptions): Promise<void> {
  const { id, key } = await change(async (tx, note, now) => {
    await requireTenant(tx, tenantId);
    const made = await createApiKey(tx, {
      tenantId,
      name,
      now,
      ...(scopes ? { scopes } : {}),
      ...(expires ? { expiresAt: expires } : {}),
    });
    const target = toId("apiKey", made.id);
    const after = { name, scopes: scopes ?? API_KEY_SCOPES, expires_at: expires?.toISOString() ?? null };
    await note(tenantId, { action: "api_key.create", target, after });
    return { id: target, key: made.key };
  });
  printMade(key, `Made ${id}. The key is shown this once: only a hash of it is stored.`);
}

async function revoke(tenantId: string, id: string): Promise<void> {
  const target = toId("apiKey", id);
  const revoked = await change(async (tx, note, now) => {
    if (await revokeApiKey(tx, { tenantId, id, at: now })) {
      const after = { revoked_at: now.toISOString() };
      await note(tenantId, { action: "api_key.revoke", target, before: { revoked_at: null }, after });
      return true;
    }
    const known = (await listApiKeys(tx, tenantId)).some((key) => key.id === id);
    if (!known) throw new InputError(`The tenant ${toId("tenant", tenantId)} has no key ${target}.`);
    return false;
  });
  console.error(revoked ? `Revoked ${target}.` : `${target} was revoked before; nothing was changed.`);
}

function shown(key: ListedApiKey, now: Date) {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return {
    id: toId("apiKey", key.id),
    public_id: key.publicId,
    name: key.name,
    state: key.revokedAt ? "revoked" : expired ? "expired" : "active",
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    scopes: key.scopes,
  };
}
