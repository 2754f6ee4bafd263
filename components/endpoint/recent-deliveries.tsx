"use client";

import { Anchor, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { byId } from "#client/endpoints.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import type { Page } from "#contracts/page.ts";
import { DeliveryTable } from "../deliveries/delivery-table.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./endpoint-page.module.css";

interface RecentDeliveriesProps {
  endpoint: Endpoint;
  recent: UseQueryResult<Page<Delivery>>;
}

/** The newest deliveries to an endpoint, and the way to all of them. */
export function RecentDeliveries({ endpoint, recent }: RecentDeliveriesProps) {
  const { href } = useWorkspace();
  const endpoints = useMemo(() => byId([endpoint]), [endpoint]);
  return (
    <section aria-label="Recent deliveries">
      <div className={classes.sectionHead}>
        <Title order={2}>Recent deliveries</Title>
        <Anchor component={Link} size="sm" href={href(`/deliveries?endpoint=${endpoint.id}`)}>
          All deliveries to it
        </Anchor>
      </div>
      {recent.error && !recent.data ? (
        <ProblemAlert error={recent.error} onRetry={() => void recent.refetch()} />
      ) : (
        <div className={classes.table}>
          <DeliveryTable
            rows={recent.data?.items ?? []}
            endpoints={endpoints}
            isLoading={recent.isPending}
            skeletonRows={10}
          />
        </div>
      )}
      {recent.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was sent to it yet. Send a test event to see how it answers.
        </Text>
      )}
    </section>
  );
}
