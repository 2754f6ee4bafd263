import { BUILT_IN_DESCRIPTIONS, BUILT_IN_TYPES } from "#contracts/events.ts";
import type { EventTypeRow } from "#db/queries/event-types.ts";

/** The types that Posthorn itself emits, as they appear in every tenant's catalogue. */
export const builtInTypes: readonly (EventTypeRow & { description: string })[] = BUILT_IN_TYPES.map(
  (name) => ({
    name,
    description: `${BUILT_IN_DESCRIPTIONS[name]}.`,
    schema: null,
    example: null,
    deprecated: false,
    createdAt: null,
    updatedAt: null,
  }),
);
