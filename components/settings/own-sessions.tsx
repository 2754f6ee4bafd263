"use client";

import { Button, Skeleton, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { endOwnSession, ownSessionsQuery } from "#client/account.ts";
import { sessionQuery } from "#client/session.ts";
import type { StaffSession } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { SessionList } from "../session-list.tsx";
import classes from "./settings-view.module.css";

/** Where one is signed in oneself. */
export function OwnSessions() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const sessions = useInfiniteQuery(ownSessionsQuery);
  const ending = useMutation({
    mutationFn: ({ id }: StaffSession) => endOwnSession(id),
    onSuccess: async (_none, session) => {
      // Its own end is seen at once, not with the next call.
      if (session.current) client.setQueryData(sessionQuery.queryKey, null);
      announce("Session ended");
      if (!session.current) await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
    },
  });
  const rows = sessions.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className={classes.section} aria-labelledby="sessions">
      <Title order={2} id="sessions">
        Where you are signed in
      </Title>
      <Text size="sm" c="dimmed">
        End what you do not know, then change your password. A session ends by itself after 12 hours.
      </Text>
      {sessions.isPending && <Skeleton height={60} mt="sm" />}
      {sessions.error && <ProblemAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {ending.error && <ProblemAlert error={ending.error} />}
      {sessions.data && (
        <SessionList
          sessions={rows}
          ending={ending.isPending ? ending.variables.id : null}
          onEnd={(session) => ending.mutate(session)}
        />
      )}
      {sessions.hasNextPage && (
        <Button size="xs" variant="default" mt="sm" onClick={() => void sessions.fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}
