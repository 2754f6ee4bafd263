import { EventType } from "#contracts/event-types.ts";
import {
  type EventTypeContent,
  type EventTypeRow,
  findEventType,
  putEventType as putRow,
} from "#db/queries/event-types.ts";
import { lockTenant } from "#db/queries/tenants.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { checkVersion, preconditionFailed } from "../check-version.ts";
import type { Ctx } from "../context.ts";
import { type Issue, notFound, validationError } from "../errors.ts";
import { checkSchema } from "../json-schema/check-schema.ts";
import { refuseBuiltIn } from "./refuse-built-in.ts";
import { audited } from "./to-event-type.ts";

/** Of a schema and of an example. */
const MAX_BYTES = 64 * 1024;

/** What a definition is meant for. */
export interface EventTypeTarget {
  name: string;
  expectedVersions: readonly string[] | null;
  /** Whether there must be such a type, or must be none; `undefined` is no matter. */
  mustExist: boolean | undefined;
}

/**
 * Defines a type, or replaces its definition; a repeat changes nothing. 404 and 412 for another than is meant, 422 for a name that is none, a schema that is
 * not valid or not bounded, and an example that breaks it; 409 for a built-in type.
 */
export async function putEventType(
  ctx: Ctx,
  target: EventTypeTarget,
  content: EventTypeContent,
): Promise<{ type: EventTypeRow; isNew: boolean }> {
  const { name } = target;
  checkEventType(name, content);
  return ctx.transaction(async (tx) => {
    await lockTenant(tx, ctx.tenantId);
    const before = await findEventType(tx, ctx.tenantId, name);
    checkTarget(target, before);
    if (before && isSame(before, content)) return { type: before, isNew: false };
    const type = await putRow(tx, ctx.tenantId, { ...content, name, at: ctx.now() });
    await appendAudit(tx, ctx, {
      action: before ? "event_type.replace" : "event_type.create",
      target: name,
      ...(before ? { before: audited(before) } : {}),
      after: audited(type),
    });
    return { type, isNew: !before };
  });
}

function checkTarget(
  { expectedVersions, mustExist }: EventTypeTarget,
  found: EventTypeRow | undefined,
): void {
  if (!found) {
    if (mustExist === true) throw notFound();
    return;
  }
  checkVersion(expectedVersions, found.version);
  if (mustExist === false) throw preconditionFailed("There is a type of this name.", found.version);
}

/** Throws what `putEventType` would throw of the definition itself. */
export function checkEventType(name: string, content: EventTypeContent): void {
  const issues = [...nameIssues(name), ...contentIssues(content)];
  if (issues.length > 0) throw validationError(issues);
  refuseBuiltIn(name);
}

function isSame(a: EventTypeContent, b: EventTypeContent): boolean {
  return (["description", "schema", "example", "deprecated"] as const).every(
    (member) => a[member] === b[member],
  );
}

function nameIssues(name: string): Issue[] {
  const parsed = EventType.shape.name.safeParse(name);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ message }) => ({ detail: message, pointer: "#/name" }));
}

function contentIssues({ schema, example }: EventTypeContent): Issue[] {
  const tooLarge = Object.entries({ schema, example }).filter(
    ([, text]) => text !== null && Buffer.byteLength(text) > MAX_BYTES,
  );
  if (tooLarge.length > 0)
    return tooLarge.map(([member]) => ({
      detail: `must be at most ${MAX_BYTES} bytes`,
      pointer: `#/${member}`,
    }));
  if (schema === null) return [];
  const checked = checkSchema(JSON.parse(schema), ["schema"]);
  if (!checked.ok) return checked.issues;
  return example === null ? [] : checked.validate(JSON.parse(example), ["example"], example.length);
}
