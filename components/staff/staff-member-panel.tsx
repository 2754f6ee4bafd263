"use client";

import { Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { staffMemberQuery } from "#client/staff.ts";
import type { StaffMember } from "#contracts/staff.ts";
import { useConsole } from "../console-context.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { Moment } from "../time.tsx";
import { MemberAccess } from "./member-access.tsx";
import { MemberFactors } from "./member-factors.tsx";
import { MemberForm } from "./member-form.tsx";
import { MemberSessions } from "./member-sessions.tsx";
import { StaffStateMark } from "./staff-state-mark.tsx";

/** One member of staff: who they are, what they may do, and where they are signed in. */
export function StaffMemberPanel({ id }: { id: string }) {
  const member = useQuery(staffMemberQuery(id));
  if (member.error) return <ProblemAlert error={member.error} onRetry={() => void member.refetch()} />;
  if (!member.data)
    return (
      <Stack>
        <Skeleton height={36} />
        <Skeleton height={120} />
      </Stack>
    );
  return <Known member={member.data} />;
}

function Known({ member }: { member: StaffMember }) {
  const { user } = useConsole();
  const isSelf = member.email === user.email;
  return (
    <Stack gap="lg">
      <div>
        <Title order={3} style={{ overflowWrap: "anywhere" }}>
          {member.email}
        </Title>
        <Text size="sm" component="div">
          <StaffStateMark state={member.state} />
        </Text>
        <Text size="xs" c="dimmed">
          Invited <Moment at={member.created_at} />
          {member.link_expires_at && (
            <>
              . A sign-in link is out, until <Moment at={member.link_expires_at} />
            </>
          )}
        </Text>
      </div>
      <MemberForm key={`${member.name} ${member.role}`} member={member} isSelf={isSelf} />
      <MemberAccess member={member} isSelf={isSelf} />
      <MemberFactors member={member} isSelf={isSelf} />
      <MemberSessions member={member} />
    </Stack>
  );
}
