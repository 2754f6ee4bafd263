import { BUILT_IN_DESCRIPTIONS, BUILT_IN_TYPES } from "#contracts/events.ts";
import { OPERATIONAL_DATA } from "#contracts/operational-events.ts";
import type { EventTypeRow } from "#db/queries/event-types.ts";

const EXAMPLES: ReadonlyMap<string, unknown> = new Map(
  Object.entries(OPERATIONAL_DATA).map(([name, data]) => [name, data.meta()?.example]),
);

/** The types that Posthorn itself emits, as they appear in every tenant's catalogue. */
export const builtInTypes: readonly (EventTypeRow & { description: string })[] = BUILT_IN_TYPES.map(
  (name) => ({
    name,
    description: `${BUILT_IN_DESCRIPTIONS[name]}.`,
    schema: null,
    example: EXAMPLES.has(name) ? JSON.stringify(EXAMPLES.get(name)) : null,
    deprecated: false,
    version: "1",
    createdAt: null,
    updatedAt: null,
  }),
);
