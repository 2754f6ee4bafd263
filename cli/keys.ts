import type { Command } from "commander";
import { toId } from "#contracts/ids.ts";
import { API_KEY_SCOPES, type Scope } from "#contracts/scopes.ts";
import { findKeyRecord, listApiKeys } from "#db/queries/keys.ts";
import { issueApiKey } from "#server/keys/issue-api-key.ts";
import { revokeApiKey } from "#server/keys/revoke-api-key.ts";
import { rotateApiKey } from "#server/keys/rotate-api-key.ts";
import { toApiKey } from "#server/keys/to-api-key.ts";
import {
  futureArgument,
  keyArgument,
  nameArgument,
  overlapArgument,
  scopesArgument,
  tenantArgument,
} from "./arguments.ts";
import { change, withDatabase } from "./database.ts";
import { InputError } from "./input-error.ts";
import { printList, printMade } from "./print.ts";
import { requireTenant } from "./tenants.ts";

interface KeyOptions {
  name: string;
  scopes?: Scope[];
  expires?: Date;
}

const DEFAULT_OVERLAP_SECONDS = 86_400;

/** `keys list|create|rotate|revoke`. */
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
    .command("rotate")
    .description(
      "make a key in place of another, which ends after the overlap; prints the new one, this once",
    )
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .argument("<key>", "id of the key, as `keys list` shows it", keyArgument)
    .option(
      "--overlap <seconds>",
      "how long the old key stays valid, 0 to 604800; default: a day",
      overlapArgument,
    )
    .action(rotate);
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
    keys.map((key) => {
      // The widest column comes last.
      const { scopes, ...rest } = toApiKey(key, now);
      return { ...rest, scopes };
    }),
    { json, none: "The tenant has no keys." },
  );
}

async function create(tenantId: string, { name, scopes, expires }: KeyOptions): Promise<void> {
  const { id, key } = await change(async (tx, note, now) => {
    await requireTenant(tx, tenantId);
    const wanted = { tenantId, name, scopes: scopes ?? API_KEY_SCOPES, expiresAt: expires ?? null, now };
    return issueApiKey(tx, (entry) => note(tenantId, entry), wanted);
  });
  printMade(key, `Made ${toId("apiKey", id)}. The key is shown this once: only a hash of it is stored.`);
}

async function rotate(
  tenantId: string,
  id: string,
  { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS }: { overlap?: number },
): Promise<void> {
  const made = await change(async (tx, note, now) => {
    if (!(await findKeyRecord(tx, tenantId, id))) throw noSuchKey(tenantId, id);
    return rotateApiKey(tx, (entry) => note(tenantId, entry), { tenantId, id, overlapSeconds, now });
  });
  const [from, to] = [toId("apiKey", id), toId("apiKey", made.id)];
  const end = overlapSeconds === 0 ? "has ended" : `ends in ${overlapSeconds} s at the latest`;
  printMade(made.key, `Made ${to} in place of ${from}, which ${end}. The key is shown this once.`);
}

async function revoke(tenantId: string, id: string): Promise<void> {
  const target = toId("apiKey", id);
  const revoked = await change(async (tx, note, now) => {
    if (!(await findKeyRecord(tx, tenantId, id))) throw noSuchKey(tenantId, id);
    return revokeApiKey(tx, (entry) => note(tenantId, entry), { tenantId, id, now });
  });
  console.error(revoked ? `Revoked ${target}.` : `${target} was revoked before; nothing was changed.`);
}

const noSuchKey = (tenantId: string, id: string) =>
  new InputError(`The tenant ${toId("tenant", tenantId)} has no key ${toId("apiKey", id)}.`);
