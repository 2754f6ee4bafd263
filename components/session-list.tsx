"use client";

import { Badge, Button, Group, Text } from "@mantine/core";
import { counted } from "#client/format.ts";
import { describeAgent } from "#client/user-agent.ts";
import type { StaffSession } from "#contracts/staff.ts";
import classes from "./session-list.module.css";
import { Ago, Until } from "./time.tsx";

interface SessionListProps {
  sessions: readonly StaffSession[];
  /** The id of the one that is being ended. */
  ending: string | null;
  onEnd: (session: StaffSession) => void;
}

/** Where somebody is signed in, each with a way to end it. */
export function SessionList({ sessions, ending, onEnd }: SessionListProps) {
  if (sessions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Signed in nowhere.
      </Text>
    );
  return (
    <ul className={classes.list} aria-label={counted(sessions.length, "session")}>
      {sessions.map((session) => (
        <li key={session.id} className={classes.item}>
          <div className={classes.what}>
            <Group gap={6}>
              <Text size="sm" fw={500} title={session.user_agent ?? undefined}>
                {describeAgent(session.user_agent)}
              </Text>
              {session.current && (
                <Badge size="xs" variant="default">
                  this one
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {session.address ?? "unknown address"}, signed in <Ago at={session.created_at} />, ends{" "}
              <Until at={session.expires_at} />
            </Text>
          </div>
          <Button
            size="xs"
            variant="default"
            loading={ending === session.id}
            aria-label={`End the session of ${describeAgent(session.user_agent)}`}
            onClick={() => onEnd(session)}
          >
            End
          </Button>
        </li>
      ))}
    </ul>
  );
}
