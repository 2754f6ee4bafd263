"use client";

import { Anchor, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { isMoving } from "#client/delivery-rows.ts";
import { byId, endpointsQuery } from "#client/endpoints.ts";
import { fanOutQuery, type StoredEvent } from "#client/events.ts";
import { fanOutOf, type FanOut as Sum } from "#client/fan-out.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import { DeliveryTable } from "../deliveries/delivery-table.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { StatusMark } from "../status.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./fan-out.module.css";

const SETTLED_EVERY_MS = 15_000;

/** What has become of an event at each endpoint that listened when it was published. */
export function FanOut({ event }: { event: StoredEvent }) {
  const { tenantId } = useWorkspace();
  const liveMs = useLiveInterval();
  const deliveries = useQuery({
    ...fanOutQuery(tenantId, event.id),
    ...liveOptions(liveMs),
    refetchInterval: ({ state }) => {
      if (liveMs === null) return false;
      return state.data?.some(isMoving) ? liveMs : Math.max(liveMs, SETTLED_EVERY_MS);
    },
  });
  const { data: endpoints } = useQuery(endpointsQuery(tenantId));
  const endpointsById = useMemo(() => byId(endpoints ?? []), [endpoints]);
  const rows = deliveries.data ?? [];
  const sum = fanOutOf(rows);
  return (
    <section>
      <div className={classes.head}>
        <Title order={2}>Fan-out</Title>
        {deliveries.data && <Links event={event} sum={sum} />}
      </div>
      {deliveries.error && !deliveries.data ? (
        <ProblemAlert error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : (
        <>
          {deliveries.data && (
            <div className={classes.sum} data-testid="fan-out">
              <StatusMark label={sum.headline} tone={sum.tone} />
              {sum.rest && <span className={classes.rest}>{sum.rest}</span>}
            </div>
          )}
          {deliveries.data?.length === 0 ? (
            <p className={classes.none}>
              No enabled endpoint had {event.type} among its types with a filter that let it pass. A recovery
              that includes missing events sends it to an endpoint after the fact.
            </p>
          ) : (
            <div className={classes.table}>
              <DeliveryTable
                rows={rows}
                endpoints={endpointsById}
                isLoading={deliveries.isPending}
                skeletonRows={3}
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Links({ event, sum }: { event: StoredEvent; sum: Sum }) {
  const { href } = useWorkspace();
  if (sum.failed === 0 || event.data === null) return null;
  return (
    <Anchor component={Link} size="sm" href={href(`/deliveries?event=${event.id}&status=failed`)}>
      Replay those that failed
    </Anchor>
  );
}
