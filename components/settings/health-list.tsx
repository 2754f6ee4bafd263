"use client";

import { Button, Group, Skeleton, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import { healthQuery } from "#client/settings.ts";
import type { HealthCheck } from "#contracts/settings.ts";
import { ProblemAlert } from "../problem-alert.tsx";
import { StatusMark, type Tone } from "../status.tsx";
import classes from "./settings-view.module.css";

const LOOK: Record<HealthCheck["level"], { label: string; tone: Tone }> = {
  ok: { label: "well", tone: "good" },
  warn: { label: "watch", tone: "wait" },
  fail: { label: "wrong", tone: "bad" },
};

const SLOWEST_LOOK_MS = 10_000;

/** How the parts of the installation are, with what to do about what is not well. */
export function HealthList() {
  const everyMs = useLiveInterval();
  const health = useQuery({
    ...healthQuery,
    ...liveOptions(everyMs === null ? null : Math.max(everyMs, SLOWEST_LOOK_MS)),
  });
  return (
    <section className={classes.section} aria-labelledby="health">
      <Group justify="space-between">
        <Title order={2} id="health">
          Health
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={health.isFetching}
          onClick={() => void health.refetch()}
        >
          Look again
        </Button>
      </Group>
      {health.error && <ProblemAlert error={health.error} onRetry={() => void health.refetch()} />}
      {health.isPending && <Skeleton height={200} mt="sm" />}
      {health.data && (
        <ul className={classes.checks}>
          {health.data.checks.map(({ check, level, text, advice }) => (
            <li key={check} className={classes.check}>
              <span>
                <StatusMark label={check} tone={LOOK[level].tone} />
              </span>
              <span>
                {level !== "ok" && <b>{LOOK[level].label}: </b>}
                {text}
              </span>
              {advice && (
                <Text size="xs" component="span" className={classes.advice}>
                  {advice}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
