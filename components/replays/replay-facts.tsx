"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { creatorWords, progressOf } from "#client/replays.ts";
import type { Replay } from "#contracts/replays.ts";
import { Fact, Facts } from "../facts.tsx";
import { StatusMark } from "../status.tsx";
import { Ago, Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** The counts of a replay, whose deliveries they are, and when it was made, begun and ended. */
export function ReplayFacts({ replay, url }: { replay: Replay; url: string | undefined }) {
  const { href } = useWorkspace();
  const { open } = progressOf(replay);
  return (
    <Facts>
      <Fact name="Delivered">
        <StatusMark
          label={replay.succeeded.toLocaleString("en")}
          tone={replay.succeeded > 0 ? "good" : "idle"}
        />
      </Fact>
      <Fact name="Failed again or cancelled">
        <StatusMark label={replay.failed.toLocaleString("en")} tone={replay.failed > 0 ? "bad" : "idle"} />
      </Fact>
      <Fact name={replay.status === "cancelled" ? "Left out, or still on their way" : "Still to come"}>
        <StatusMark label={open.toLocaleString("en")} tone={open > 0 ? "wait" : "idle"} />
      </Fact>
      <Fact name="Endpoint" copy={url ?? replay.endpoint_id}>
        <Anchor component={Link} href={href(`/endpoints/${replay.endpoint_id}`)} fz="inherit">
          {url ?? replay.endpoint_id}
        </Anchor>
      </Fact>
      <Fact name="Created">
        <Moment at={replay.created_at} />
        <span data-aside="">
          <Ago at={replay.created_at} />
        </span>
      </Fact>
      <Fact name="Made by">
        {replay.created_by ? creatorWords(replay) : <Not>{creatorWords(replay)}</Not>}
      </Fact>
      <Fact name="Begun">{replay.started_at ? <Moment at={replay.started_at} /> : <Not>not yet</Not>}</Fact>
      <Fact name="Ended">
        {replay.completed_at ? <Moment at={replay.completed_at} /> : <Not>not yet</Not>}
      </Fact>
    </Facts>
  );
}

const Not = ({ children }: { children: string }) => <span data-aside="">{children}</span>;
