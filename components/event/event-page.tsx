"use client";

import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "next/navigation";
import { eventQuery } from "#client/events.ts";
import { BackLink } from "../back-link.tsx";
import { ThingHead } from "../thing-head.tsx";
import { ThingMissing } from "../thing-missing.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { CopyEvent } from "./copy-event.tsx";
import { EventFacts } from "./event-facts.tsx";
import { ExpungeButton } from "./expunge-button.tsx";
import { FanOut } from "./fan-out.tsx";
import { Payload } from "./payload.tsx";

/** The page of one event: what was published, and what has become of it at each endpoint. */
export function EventPage() {
  const { tenantId, isPortal } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const { data, error, refetch } = useQuery(eventQuery(tenantId, id));
  return (
    <Stack gap="lg" maw={1480}>
      <BackLink path="/events">Events</BackLink>
      {data ? (
        <>
          <ThingHead title={data.event.type} id={{ value: data.event.id, what: "event id" }}>
            {!isPortal && data.event.data !== null && <CopyEvent text={data.text} />}
            {!isPortal && <ExpungeButton event={data.event} />}
          </ThingHead>
          <EventFacts event={data.event} />
          <FanOut event={data.event} />
          <Payload text={data.text} expungedAt={data.event.expunged_at} />
        </>
      ) : (
        <ThingMissing
          error={error}
          noun="event"
          hint="It may belong to another tenant, or its 30 days have passed."
          onRetry={() => void refetch()}
        />
      )}
    </Stack>
  );
}
