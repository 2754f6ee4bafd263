"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { partsOfUrl } from "#client/endpoints.ts";
import { longSpan } from "#client/format.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import { explainDisabled } from "#contracts/endpoint-health.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { Fact, Facts } from "../facts.tsx";
import { Ago, Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";

interface DeliveryFactsProps {
  delivery: Delivery;
  /** `undefined` while it loads, `null` when it was deleted. */
  endpoint: Endpoint | null | undefined;
}

/** Where it goes, where it comes from, and when. */
export function DeliveryFacts({ delivery, endpoint }: DeliveryFactsProps) {
  const { href } = useWorkspace();
  const list = (query: string) => href(`/deliveries?${query}`);
  return (
    <Facts>
      <Fact name="Endpoint" copy={endpoint?.url ?? delivery.endpoint_id}>
        <Anchor component={Link} href={list(`endpoint=${delivery.endpoint_id}`)} fz="inherit">
          {endpoint ? <EndpointUrl url={endpoint.url} /> : delivery.endpoint_id}
        </Anchor>
        {endpoint === null && <span data-aside="">deleted</span>}
        {endpoint && endpoint.status !== "enabled" && (
          <span data-aside="">
            {endpoint.status === "disabled" ? explainDisabled(endpoint.disabled_reason) : endpoint.status}
          </span>
        )}
      </Fact>
      <Fact name="Event" copy={delivery.event_id}>
        <Anchor component={Link} href={href(`/events/${delivery.event_id}`)} fz="inherit" data-mono="">
          {delivery.event_id}
        </Anchor>
      </Fact>
      <Fact name="Created">
        <Moment at={delivery.created_at} />
        <span data-aside="">
          <Ago at={delivery.created_at} />
        </span>
      </Fact>
      <Fact name="Delivered">
        {delivery.delivered_at ? (
          <>
            <Moment at={delivery.delivered_at} />
            <span data-aside="">
              after {longSpan(Date.parse(delivery.delivered_at) - Date.parse(delivery.created_at))}
            </span>
          </>
        ) : (
          <span data-aside="">not delivered</span>
        )}
      </Fact>
    </Facts>
  );
}

function EndpointUrl({ url }: { url: string }) {
  const { host, path } = partsOfUrl(url);
  return (
    <>
      {host}
      {path}
    </>
  );
}
