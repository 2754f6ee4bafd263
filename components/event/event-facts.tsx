"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { StoredEvent } from "#client/events.ts";
import { Fact, Facts } from "../facts.tsx";
import { Ago, Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** When an event was published, its place in the feed, and by what it is found elsewhere. */
export function EventFacts({ event }: { event: StoredEvent }) {
  const { href } = useWorkspace();
  // W3C Trace Context: the trace of an event's deliveries has the event's UUID as its id.
  const traceId = event.id.slice("evt_".length).replaceAll("-", "");
  return (
    <Facts>
      <Fact name="Published">
        <Moment at={event.timestamp} />
        <span data-aside="">
          <Ago at={event.timestamp} />
        </span>
      </Fact>
      <Fact name="Type">
        <Anchor component={Link} href={href(`/events?type=${event.type}`)} fz="inherit">
          {event.type}
        </Anchor>
        <span data-aside="">API version {event.api_version}</span>
      </Fact>
      <Fact name="Sequence" copy={String(event.sequence)}>
        {event.sequence.toLocaleString("en")}
        <span data-aside="">in the feed of the tenant</span>
      </Fact>
      <Fact name="Trace id" copy={traceId}>
        <span data-mono="">{traceId}</span>
      </Fact>
    </Facts>
  );
}
