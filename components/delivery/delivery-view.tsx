"use client";

import { Stack } from "@mantine/core";
import { usePageActions } from "#client/page-actions.ts";
import { replayRefusal } from "#client/replay-refusal.ts";
import { useDelivery } from "#client/use-delivery.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { EmptyNote } from "../empty-note.tsx";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "../thing-head.module.css";
import { useWorkspace } from "../workspace-context.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { DeliveryTitle } from "./delivery-title.tsx";
import { NextStepNote } from "./next-step-note.tsx";
import { ReplayButton } from "./replay-button.tsx";
import { Timeline } from "./timeline.tsx";

interface DeliveryViewProps {
  id: string;
  /** Of its heading. */
  level: 1 | 2;
}

/** One delivery: what it is, what comes next, and every attempt as sent and as answered. */
export function DeliveryView({ id, level }: DeliveryViewProps) {
  const { tenantId, refuse } = useWorkspace();
  const { delivery, attempts, endpoint, replay } = useDelivery(tenantId, id);
  const refusal = delivery.data ? replayRefusal(delivery.data, endpoint, refuse) : null;
  const mayReplay = delivery.data !== undefined && refusal === null;
  useShortcut("replay", replay.ask, mayReplay);
  usePageActions(mayReplay ? [{ label: "Replay this delivery", hotkey: "replay", run: replay.ask }] : []);
  return (
    <Stack gap="lg">
      {delivery.data ? (
        <>
          <div className={classes.top}>
            <DeliveryTitle delivery={delivery.data} level={level} />
            <ReplayButton refusal={refusal} replay={replay} />
          </div>
          <NextStepNote
            delivery={delivery.data}
            last={attempts.data?.at(-1)}
            endpoint={endpoint ?? undefined}
          />
          <DeliveryFacts delivery={delivery.data} endpoint={endpoint} />
          {attempts.error ? (
            <ProblemAlert error={attempts.error} onRetry={() => void attempts.refetch()} />
          ) : (
            <Timeline delivery={delivery.data} attempts={attempts.data} />
          )}
        </>
      ) : (
        <Missing error={delivery.error} level={level} onRetry={() => void delivery.refetch()} />
      )}
    </Stack>
  );
}

interface MissingProps {
  error: unknown;
  level: 1 | 2;
  onRetry: () => void;
}

function Missing({ error, level, onRetry }: MissingProps) {
  if (!error) return <PageSkeleton />;
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyNote title="There is no such delivery" level={level}>
        It may belong to another tenant, or its 30 days have passed.
      </EmptyNote>
    );
  return <ProblemAlert error={error} onRetry={onRetry} />;
}
