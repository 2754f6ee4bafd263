"use client";

import { Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { counted } from "#client/format.ts";
import { resetMemberFactors } from "#client/staff.ts";
import type { StaffMember } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { useStaffChanged } from "./use-staff-changed.ts";

/** What somebody signs in with beside the password, and a way out for whoever has lost it. */
export function MemberFactors({ member, isSelf }: { member: StaffMember; isSelf: boolean }) {
  const [isAsked, setIsAsked] = useState(false);
  const announce = useAnnounce();
  const changed = useStaffChanged();
  const resetting = useMutation({
    mutationFn: () => resetMemberFactors(member.id),
    onSuccess: async (saved) => {
      setIsAsked(false);
      announce(`The two-factor of ${saved.email} is reset`);
      await changed(saved);
    },
  });
  const hasAny = member.two_factor || member.passkeys > 0;
  const own = isSelf ? "Yours is under Settings; only another admin can reset it." : null;
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3}>Two-factor</Title>
      <Text size="sm">
        {member.two_factor ? "An authenticator app is asked for" : "No authenticator app is asked for"},{" "}
        {member.passkeys === 0
          ? "and there are no passkeys"
          : `and there ${member.passkeys === 1 ? "is" : "are"} ${counted(member.passkeys, "passkey")}`}
        .
      </Text>
      <GuardedButton
        saysWhy
        size="xs"
        variant="default"
        refusal={own ?? (hasAny ? null : "There is nothing to reset.")}
        onClick={() => setIsAsked(true)}
      >
        Reset two-factor
      </GuardedButton>
      {isAsked && (
        <ConfirmModal
          title={`Reset the two-factor of ${member.email}?`}
          action="Reset two-factor"
          isDangerous
          isBusy={resetting.isPending}
          error={resetting.error}
          onConfirm={() => resetting.mutate()}
          onClose={() => setIsAsked(false)}
        >
          <Text size="sm">
            For whoever has lost phone and backup codes. App, backup codes and passkeys are forgotten,{" "}
            {counted(member.sessions, "session")} end{member.sessions === 1 ? "s" : ""}, and the password
            alone lets in. Make sure that it is they who ask.
          </Text>
        </ConfirmModal>
      )}
    </Stack>
  );
}
