import { createHash } from "node:crypto";
import type { Conn } from "#db/client.ts";
import { listSchemaHashes, listSchemas } from "#db/queries/event-types.ts";
import { BoundedCache } from "../bounded-cache.ts";
import { type AppError, type Issue, validationError } from "../errors.ts";
import { checkSchema } from "../json-schema/check-schema.ts";
import type { Validate } from "../json-schema/compile-schema.ts";
import { takeTurns } from "../take-turns.ts";

/** Holds the `data` of an event to the schema of its type. `at` is where it lies in the request. */
export type CheckData = (type: string, data: string, at: readonly PropertyKey[]) => AppError | undefined;

// A compiled schema takes some twenty times the room of its text, and no less than that of a few thousand characters.
const MAX_CHARACTERS = 8 * 1024 * 1024;
const LEAST_CHARACTERS = 4096;
const compiled = new BoundedCache<Validate>(MAX_CHARACTERS);

/** The checks of some types as the tenant's catalogue has them at this moment: a schema counts from its commit on. */
export async function readDataChecks(
  conn: Conn,
  tenantId: string,
  types: ReadonlySet<string>,
): Promise<CheckData> {
  return dataChecks(conn, tenantId, await listSchemaHashes(conn, tenantId, [...types]));
}

/** The checks of types whose schemas have these hashes. Compiled schemas are kept by their content; others are read. */
export async function dataChecks(
  conn: Conn,
  tenantId: string,
  schemas: readonly { name: string; hash: string }[],
): Promise<CheckData> {
  const validates = new Map<string, Validate>();
  const missing: string[] = [];
  for (const { name, hash } of schemas) {
    const kept = compiled.get(hash);
    if (kept) validates.set(name, kept);
    else missing.push(name);
  }
  if (missing.length > 0) {
    const turn = takeTurns();
    for (const { name, schema } of await listSchemas(conn, tenantId, missing)) {
      await turn();
      validates.set(name, compile(schema));
    }
  }
  return (type, data, at) => {
    const issues = validates.get(type)?.(JSON.parse(data), at, data.length) ?? [];
    return issues.length > 0 ? validationError(issues) : undefined;
  };
}

const anything: Validate = (): Issue[] => [];

/** A schema that was found good when it was stored, and is not any more, holds nobody back. */
function compile(schema: string): Validate {
  const checked = checkSchema(JSON.parse(schema), []);
  const validate = checked.ok ? checked.validate : anything;
  const hash = createHash("sha256").update(schema).digest("hex");
  compiled.set(hash, validate, LEAST_CHARACTERS + schema.length);
  return validate;
}
