"use client";

import { Button, Group, Skeleton, Stack, Title } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { endSession, endSessions, staffSessionsQuery } from "#client/staff.ts";
import type { StaffMember } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { SessionList } from "../session-list.tsx";
import { useStaffChanged } from "./use-staff-changed.ts";

/** Where somebody is signed in; one can be ended, or all. */
export function MemberSessions({ member }: { member: StaffMember }) {
  const announce = useAnnounce();
  const changed = useStaffChanged();
  const sessions = useInfiniteQuery(staffSessionsQuery(member.id));
  const ending = useMutation({
    mutationFn: (sessionId: string | null) =>
      sessionId === null ? endSessions(member.id) : endSession(member.id, sessionId),
    onSuccess: async (_none, sessionId) => {
      announce(sessionId === null ? "All sessions ended" : "Session ended");
      await changed();
    },
  });
  const rows = sessions.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3}>Sessions</Title>
        {rows.length > 1 && (
          <Button
            size="xs"
            variant="default"
            loading={ending.isPending && ending.variables === null}
            onClick={() => ending.mutate(null)}
          >
            End all
          </Button>
        )}
      </Group>
      {sessions.isPending && <Skeleton height={44} />}
      {sessions.error && <ProblemAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {ending.error && <ProblemAlert error={ending.error} />}
      {sessions.data && (
        <SessionList
          sessions={rows}
          ending={ending.isPending ? (ending.variables ?? null) : null}
          onEnd={({ id }) => ending.mutate(id)}
        />
      )}
    </Stack>
  );
}
