"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { counted } from "#client/format.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import type { EndpointSecret } from "#contracts/endpoint-secrets.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import type { Page } from "#contracts/page.ts";
import { Fact, Facts } from "../facts.tsx";
import { Ago, Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";

interface EndpointFactsProps {
  endpoint: Endpoint;
  /** Absent while they load, as is what follows. */
  secrets: readonly EndpointSecret[] | undefined;
  pending: Page<Delivery> | undefined;
}

/** What it gets, how it is sent, and what waits for it. */
export function EndpointFacts({ endpoint, secrets, pending }: EndpointFactsProps) {
  const { href } = useWorkspace();
  const headers = Object.keys(endpoint.headers);
  return (
    <Facts>
      <Fact name="Event types">
        <span data-mono="">{endpoint.event_types.join(", ")}</span>
      </Fact>
      <Fact name="Filter">
        {endpoint.filter === null ? (
          <Aside>none: all of these events</Aside>
        ) : (
          <code data-mono="">{JSON.stringify(endpoint.filter)}</code>
        )}
      </Fact>
      <Fact name="Backlog">
        <Anchor component={Link} size="sm" href={href(`/deliveries?endpoint=${endpoint.id}&status=pending`)}>
          {pending ? backlogOf(pending) : "…"}
        </Anchor>
      </Fact>
      <Fact name="Signing secrets">
        <Anchor component={Link} size="sm" href={href(`/endpoints/${endpoint.id}/rotate`)}>
          {secrets ? secretsOf(secrets) : "…"}
        </Anchor>
        <Aside>X-Signature: {endpoint.signature_format}</Aside>
      </Fact>
      <Fact name="Pace">
        {endpoint.rate_limit === null ? "no rate limit" : `${endpoint.rate_limit} per second at most`},{" "}
        {endpoint.max_in_flight} at a time
        {endpoint.ordered && <Aside>strictly in order</Aside>}
      </Fact>
      <Fact name="Retries">
        {retriesOf(endpoint)}
        <Aside>timeout {endpoint.timeout_ms / 1000} s</Aside>
      </Fact>
      <Fact name="Further headers">
        {headers.length === 0 ? <Aside>none</Aside> : <span data-mono="">{headers.join(", ")}</span>}
      </Fact>
      {endpoint.public_key && (
        <Fact name="Public key (ed25519)" copy={endpoint.public_key}>
          <code data-mono="">{endpoint.public_key}</code>
        </Fact>
      )}
      {Object.keys(endpoint.metadata).length > 0 && (
        <Fact name="Metadata">
          <code data-mono="">{JSON.stringify(endpoint.metadata)}</code>
        </Fact>
      )}
      <Fact name="Changed">
        <Ago at={endpoint.updated_at} />
        <Aside>
          version {endpoint.version}, created <Moment at={endpoint.created_at} />
        </Aside>
      </Fact>
    </Facts>
  );
}

const Aside = ({ children }: { children: ReactNode }) => <span data-aside="">{children}</span>;

function backlogOf({ items, has_more: isMore }: Page<Delivery>): string {
  if (items.length === 0) return "nothing waits";
  return isMore
    ? `more than ${items.length} deliveries wait`
    : `${counted(items.length, "delivery", "deliveries")} pending`;
}

function secretsOf(secrets: readonly EndpointSecret[]): string {
  const current = secrets.find(({ state }) => state === "current");
  const overlapping = secrets.filter(({ state }) => state === "overlapping").map(({ kid }) => kid);
  const also = overlapping.length > 0 ? `, ${overlapping.join(", ")} still valid` : "";
  return `${current?.kid ?? "none"} signs${also}`;
}

function retriesOf({ retry_policy: policy }: Endpoint): string {
  if (!policy) return "the usual schedule";
  const attempts = policy.max_attempts ?? (policy.schedule_seconds?.length ?? 0) + 1;
  const pauses = policy.schedule_seconds;
  return `${policy.max_attempts === null && !pauses ? "the usual number of" : attempts} attempts${pauses ? `, after ${pauses.join(", ")} s` : ""}`;
}
