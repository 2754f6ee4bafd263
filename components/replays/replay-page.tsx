"use client";

import { Anchor, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { byId, endpointsQuery } from "#client/endpoints.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import { isUnderWay, kindOf, progressOf, replayQuery, selectionWords } from "#client/replays.ts";
import type { Replay } from "#contracts/replays.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { ThingHead } from "../thing-head.tsx";
import { ThingMissing } from "../thing-missing.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { CancelReplay } from "./cancel-replay.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { ReplayFacts } from "./replay-facts.tsx";
import classes from "./replay-page.module.css";
import { REPLAY_STATUS, ReplayStatusMark } from "./replay-status.tsx";

const SETTLED_EVERY_MS = 15_000;

/** The page of one replay: how far it is, what it is of, and a way to stop it. */
export function ReplayPage() {
  const { tenantId } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const liveMs = useLiveInterval();
  const { data, error, refetch } = useQuery({
    ...replayQuery(tenantId, id),
    ...liveOptions(liveMs),
    refetchInterval: ({ state }) => {
      if (liveMs === null) return false;
      return state.data && isUnderWay(state.data) ? liveMs : Math.max(liveMs, SETTLED_EVERY_MS);
    },
  });
  useAnnounceEnd(data);
  return (
    <Stack gap="lg" maw={1480}>
      <BackLink path="/replays">Replays</BackLink>
      {data ? (
        <OneReplay replay={data} />
      ) : (
        <ThingMissing
          error={error}
          noun="replay"
          hint="It may belong to another tenant, or its time has passed."
          onRetry={() => void refetch()}
        />
      )}
    </Stack>
  );
}

function OneReplay({ replay }: { replay: Replay }) {
  const { tenantId, href } = useWorkspace();
  const { data: endpoints = [] } = useQuery(endpointsQuery(tenantId));
  const url = byId(endpoints).get(replay.endpoint_id)?.url;
  return (
    <>
      <ThingHead
        title={kindOf(replay)}
        mark={<ReplayStatusMark status={replay.status} />}
        id={{ value: replay.id, what: "replay id" }}
      >
        <CancelReplay replay={replay} />
      </ThingHead>
      <section className={classes.progress} aria-label="Progress">
        <p className={classes.words} data-testid="progress">
          {progressOf(replay).words}
        </p>
        <ProgressBar replay={replay} isLarge />
        <p className={classes.note}>{stateWords(replay)}</p>
      </section>
      <p className={classes.of}>
        {selectionWords(replay)}{" "}
        <Anchor
          component={Link}
          href={href(`/deliveries?endpoint=${replay.endpoint_id}`)}
          fz="inherit"
          underline="always"
        >
          Deliveries of this endpoint
        </Anchor>
      </p>
      <ReplayFacts replay={replay} url={url} />
    </>
  );
}

function stateWords(replay: Replay): string {
  const { open } = progressOf(replay);
  switch (replay.status) {
    case "queued":
      return "It begins as soon as a worker has room.";
    case "running":
      return "Deliveries are put back bit by bit, behind fresh work and retries; each gets a fresh retry schedule.";
    case "completed":
      return "Every delivery of it was put back and has ended.";
    case "cancelled":
      return open > 0
        ? "No more deliveries are put back. Those that already were are still sent, and counted here."
        : "It was stopped after all of it had ended.";
  }
}

/** Says so when a replay that one looks at comes to its end. */
function useAnnounceEnd(replay: Replay | undefined): void {
  const announce = useAnnounce();
  const before = useRef<Replay["status"]>(undefined);
  useEffect(() => {
    if (!replay) return;
    if (before.current && before.current !== replay.status && !isUnderWay(replay))
      announce(`The replay is ${REPLAY_STATUS[replay.status].label.toLowerCase()}`);
    before.current = replay.status;
  }, [replay, announce]);
}
