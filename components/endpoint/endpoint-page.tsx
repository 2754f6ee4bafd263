"use client";

import { Stack } from "@mantine/core";
import { useParams } from "next/navigation";
import { useQueryState } from "nuqs";
import { stateOf } from "#client/endpoint-state.ts";
import { rangeParser } from "#client/stats-range.ts";
import { useEndpoint } from "#client/use-endpoint.ts";
import { BackLink } from "../back-link.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointFacts } from "./endpoint-facts.tsx";
import { EndpointTitle } from "./endpoint-title.tsx";
import { HealthCharts } from "./health-charts.tsx";
import { MissingEndpoint } from "./missing-endpoint.tsx";
import { RecentDeliveries } from "./recent-deliveries.tsx";
import { StateNote } from "./state-note.tsx";

/** The page of one endpoint: how it is doing, what it was sent, and everything that can be done about it. */
export function EndpointPage() {
  const { tenantId } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const [range, setRange] = useQueryState("range", rangeParser);
  const { endpoint, stats, secrets, pending, recent } = useEndpoint(tenantId, id, range);
  return (
    <Stack gap="lg" maw={1480}>
      <BackLink path={"/endpoints"}>Endpoints</BackLink>
      {endpoint.data ? (
        <>
          <EndpointTitle endpoint={endpoint.data} state={stateOf(endpoint.data, stats.data)} />
          <EndpointActions endpoint={endpoint.data} />
          <StateNote endpoint={endpoint.data} stats={stats.data} />
          <EndpointFacts endpoint={endpoint.data} secrets={secrets.data} pending={pending.data} />
          <HealthCharts range={range} onRange={(next) => void setRange(next)} stats={stats} />
          <RecentDeliveries endpoint={endpoint.data} recent={recent} />
        </>
      ) : (
        <MissingEndpoint error={endpoint.error} onRetry={() => void endpoint.refetch()} />
      )}
    </Stack>
  );
}
