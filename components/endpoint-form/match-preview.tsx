"use client";

import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { counted } from "#client/format.ts";
import { usePreview } from "#client/use-preview.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./match-preview.module.css";

const PAUSE_MS = 400;
const SHOWN = 8;

/** What the types and the filter as typed would let pass of the last events. */
export function MatchPreview({ eventTypes, filter }: { eventTypes: readonly string[]; filter: string }) {
  const { tenantId } = useWorkspace();
  const [asked] = useDebouncedValue({ eventTypes, filter }, PAUSE_MS);
  const { data, error } = usePreview(tenantId, asked.eventTypes, asked.filter);
  const passing = data?.items.filter(({ matches }) => matches) ?? [];
  return (
    <section className={classes.preview} aria-label="Preview of what matches">
      <p className={classes.headline} role="status">
        {error
          ? refusalOf(error)
          : data
            ? headlineOf(data.looked_at, data.matched)
            : "Looking at the last events …"}
      </p>
      {!error && passing.length > 0 && (
        <ul className={classes.list}>
          {passing.slice(0, SHOWN).map(({ id, type, timestamp }) => (
            <li key={id}>
              <span className={classes.type}>{type}</span>
              <span className={classes.when}>
                <Ago at={timestamp} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {!error && passing.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {counted(passing.length - SHOWN, "more event")}
        </Text>
      )}
    </section>
  );
}

function headlineOf(lookedAt: number, matched: number): string {
  if (lookedAt === 0) return "There are no events yet to try this on.";
  return `${matched} of the last ${counted(lookedAt, "event")} would be sent.`;
}

const refusalOf = (error: unknown): string => {
  const first = error instanceof ApiProblem ? error.problem?.errors?.[0] : undefined;
  if (first) return `No preview: ${first.pointer.replace(/^#\//, "")} ${first.detail}.`;
  return "No preview: the last events could not be read.";
};
