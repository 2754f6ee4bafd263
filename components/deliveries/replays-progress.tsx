"use client";

import { Anchor, Progress, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import Link from "next/link";
import { replayProgressQuery } from "#client/replay-progress.ts";
import type { Replay } from "#contracts/replays.ts";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./bulk-bar.module.css";

/** How far replays have come, with the way to each of them. */
export function ReplaysProgress({ replays }: { replays: readonly Replay[] }) {
  const { tenantId, href } = useWorkspace();
  const found = useQueries({ queries: replays.map((replay) => replayProgressQuery(tenantId, replay)) });
  const now = found.map(({ data }, index) => data ?? (replays[index] as Replay));
  const sum = (member: "total" | "done" | "succeeded" | "failed") =>
    now.reduce((all, replay) => all + replay[member], 0);
  return (
    <div>
      <Progress
        value={(100 * sum("done")) / Math.max(1, sum("total"))}
        aria-label="Progress of the replays"
      />
      <Text size="sm" mt={6}>
        {sum("done").toLocaleString("en")} of {sum("total").toLocaleString("en")} have ended,{" "}
        {sum("succeeded").toLocaleString("en")} delivered and {sum("failed").toLocaleString("en")} not. They
        go on without this page.
      </Text>
      <ul className={classes.parts}>
        {now.map((replay) => (
          <li key={replay.id}>
            <Anchor component={Link} href={href(`/replays/${replay.id}`)} size="sm">
              Replay {replay.id.slice(-8)}
            </Anchor>
            <span>
              {replay.status}, {replay.done.toLocaleString("en")} of {replay.total.toLocaleString("en")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
