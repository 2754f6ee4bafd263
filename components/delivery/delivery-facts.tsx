"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { partsOfUrl } from "#client/endpoints.ts";
import { longSpan } from "#client/format.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import { explainDisabled } from "#contracts/endpoint-health.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { Ago, Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-facts.module.css";

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
    <dl className={classes.facts}>
      <Fact name="Endpoint" copy={endpoint?.url ?? delivery.endpoint_id}>
        <Anchor component={Link} href={list(`endpoint=${delivery.endpoint_id}`)} className={classes.text}>
          {endpoint ? <EndpointUrl url={endpoint.url} /> : delivery.endpoint_id}
        </Anchor>
        {endpoint === null && <span className={classes.aside}>deleted</span>}
        {endpoint && endpoint.status !== "enabled" && (
          <span className={classes.aside}>
            {endpoint.status === "disabled" ? explainDisabled(endpoint.disabled_reason) : endpoint.status}
          </span>
        )}
      </Fact>
      <Fact name="Event" copy={delivery.event_id}>
        <Anchor component={Link} href={href(`/events/${delivery.event_id}`)} className={classes.id}>
          {delivery.event_id}
        </Anchor>
      </Fact>
      <Fact name="Created">
        <Moment at={delivery.created_at} />
        <span className={classes.aside}>
          <Ago at={delivery.created_at} />
        </span>
      </Fact>
      <Fact name="Delivered">
        {delivery.delivered_at ? (
          <>
            <Moment at={delivery.delivered_at} />
            <span className={classes.aside}>
              after {longSpan(Date.parse(delivery.delivered_at) - Date.parse(delivery.created_at))}
            </span>
          </>
        ) : (
          <span className={classes.aside}>not delivered</span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>
        {children}
        {copy && <CopyIcon value={copy} what={name.toLowerCase()} />}
      </dd>
    </div>
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
