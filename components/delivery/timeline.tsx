"use client";

import { Skeleton, Stack, Title } from "@mantine/core";
import { parseAsArrayOf, parseAsInteger, useQueryState } from "nuqs";
import { useMemo } from "react";
import { counted, longSpan } from "#client/format.ts";
import { type TimelineItem, timelineOf } from "#client/timeline.ts";
import type { Attempt, Delivery } from "#contracts/deliveries.ts";
import { StatusMark } from "../status.tsx";
import { Moment, Until } from "../time.tsx";
import { AttemptItem } from "./attempt-item.tsx";
import classes from "./timeline.module.css";

interface TimelineProps {
  delivery: Delivery;
  /** Absent while they load. */
  attempts: readonly Attempt[] | undefined;
}

/** What happened, newest first. Open attempts are named in the address; without a choice it is the last one. */
export function Timeline({ delivery, attempts }: TimelineProps) {
  const items = useMemo(() => (attempts ? timelineOf(delivery, attempts) : []), [delivery, attempts]);
  const [chosen, choose] = useQueryState("attempt", parseAsArrayOf(parseAsInteger));
  const last = attempts?.at(-1)?.number;
  const open = chosen ?? (last === undefined ? [] : [last]);
  const toggle = (number: number) =>
    void choose(open.includes(number) ? open.filter((one) => one !== number) : [...open, number]);
  return (
    <section>
      <Title order={2} mb="sm">
        {attempts ? counted(attempts.length, "attempt") : "Attempts"}
      </Title>
      {attempts ? (
        <ol className={classes.timeline}>
          {items.map((item) => (
            <TimelineEntry
              key={item.kind === "attempt" ? item.attempt.id : item.kind}
              item={item}
              isOpen={item.kind === "attempt" && open.includes(item.attempt.number)}
              onToggle={toggle}
            />
          ))}
        </ol>
      ) : (
        <Stack gap="xs">
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Stack>
      )}
    </section>
  );
}

interface EntryProps {
  item: TimelineItem;
  isOpen: boolean;
  onToggle: (number: number) => void;
}

function TimelineEntry({ item, isOpen, onToggle }: EntryProps) {
  switch (item.kind) {
    case "attempt":
      return (
        <AttemptItem
          attempt={item.attempt}
          waited={item.waitedMs === null ? null : longSpan(item.waitedMs)}
          isOpen={isOpen}
          onToggle={() => onToggle(item.attempt.number)}
        />
      );
    case "next":
      return (
        <li className={classes.plain}>
          {item.isRunning ? (
            <StatusMark label={`Attempt ${item.number}`} tone="busy" pulses />
          ) : (
            <StatusMark label={`Attempt ${item.number}`} tone="wait" />
          )}
          <span className={classes.aside}>
            {item.isRunning ? "on its way" : <>due {item.at ? <Until at={item.at} /> : "later"}</>}
          </span>
        </li>
      );
    case "created":
      return (
        <li className={classes.plain}>
          <StatusMark label="Created" tone="idle" />
          <span className={classes.aside}>
            <Moment at={item.at} />
          </span>
        </li>
      );
  }
}
