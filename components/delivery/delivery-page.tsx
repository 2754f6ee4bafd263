"use client";

import { Stack } from "@mantine/core";
import { useParams } from "next/navigation";
import { usePageActions } from "#client/page-actions.ts";
import { replayRefusal } from "#client/replay-refusal.ts";
import { useDelivery } from "#client/use-delivery.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { EmptyNote } from "../empty-note.tsx";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { DeliveryNav } from "./delivery-nav.tsx";
import classes from "./delivery-page.module.css";
import { DeliveryTitle } from "./delivery-title.tsx";
import { NextStepNote } from "./next-step-note.tsx";
import { ReplayButton } from "./replay-button.tsx";
import { Timeline } from "./timeline.tsx";

/** The page of one delivery: what it is, what comes next, and every attempt as sent and as answered. */
export function DeliveryPage() {
  const { tenantId, refuse } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const { delivery, attempts, endpoint, replay } = useDelivery(tenantId, id);
  const refusal = delivery.data ? replayRefusal(delivery.data, endpoint, refuse) : null;
  const mayReplay = delivery.data !== undefined && refusal === null;
  useShortcut("replay", replay.ask, mayReplay);
  usePageActions(mayReplay ? [{ label: "Replay this delivery", hotkey: "replay", run: replay.ask }] : []);
  return (
    <Stack gap="lg" maw={1480}>
      <DeliveryNav id={id} />
      {delivery.data ? (
        <>
          <div className={classes.top}>
            <DeliveryTitle delivery={delivery.data} />
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
        <Missing error={delivery.error} onRetry={() => void delivery.refetch()} />
      )}
    </Stack>
  );
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!error) return <PageSkeleton />;
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyNote title="There is no such delivery" level={1}>
        It may belong to another tenant, or its 30 days have passed.
      </EmptyNote>
    );
  return <ProblemAlert error={error} onRetry={onRetry} />;
}
