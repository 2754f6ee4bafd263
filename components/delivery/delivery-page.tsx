"use client";

import { Anchor, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import { useParams } from "next/navigation";
import { listAddress } from "#client/list-address.ts";
import { replayRefusal } from "#client/replay-refusal.ts";
import { useDelivery } from "#client/use-delivery.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useConsole } from "../console-context.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import classes from "./delivery-page.module.css";
import { DeliveryTitle } from "./delivery-title.tsx";
import { NextStepNote } from "./next-step-note.tsx";
import { ReplayButton } from "./replay-button.tsx";
import { Timeline } from "./timeline.tsx";

/** The page of one delivery: what it is, what comes next, and every attempt as sent and as answered. */
export function DeliveryPage() {
  const { tenantId, user } = useConsole();
  const { id } = useParams<{ id: string }>();
  const { delivery, attempts, endpoint, replay } = useDelivery(tenantId, id);
  return (
    <Stack gap="lg" maw={1480}>
      <Anchor component={Link} href={listAddress(tenantId)} size="sm" c="dimmed" className={classes.back}>
        <IconArrowLeft size={15} aria-hidden="true" />
        Deliveries
      </Anchor>
      {delivery.data ? (
        <>
          <div className={classes.top}>
            <DeliveryTitle delivery={delivery.data} />
            <ReplayButton refusal={replayRefusal(delivery.data, endpoint, user.role)} replay={replay} />
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
        It may belong to another tenant, which you can choose in the menu, or its 30 days have passed.
      </EmptyNote>
    );
  return <ProblemAlert error={error} onRetry={onRetry} />;
}
