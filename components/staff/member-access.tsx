"use client";

import { Button, Group, Modal, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { counted } from "#client/format.ts";
import { disableMember, enableMember, resetMember } from "#client/staff.ts";
import { LINK_HOURS, type StaffMember } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { SignInLink } from "./sign-in-link.tsx";
import { useStaffChanged } from "./use-staff-changed.ts";

type Step = "disable" | "reset";

/** Letting somebody in and keeping them out. Both ask first. */
export function MemberAccess({ member, isSelf }: { member: StaffMember; isSelf: boolean }) {
  const [step, setStep] = useState<Step | null>(null);
  const announce = useAnnounce();
  const changed = useStaffChanged();
  const switching = useMutation({
    mutationFn: () => (member.state === "disabled" ? enableMember(member.id) : disableMember(member.id)),
    onSuccess: async (saved) => {
      setStep(null);
      announce(`${saved.email} is ${saved.state}`);
      await changed(saved);
    },
  });
  const resetting = useMutation({
    mutationFn: () => resetMember(member.id),
    gcTime: 0,
    onSuccess: async ({ sign_in_link: _shownHere, ...saved }) => {
      setStep(null);
      announce("The new link is shown now, this once");
      await changed(saved);
    },
  });
  const isDisabled = member.state === "disabled";
  const own = isSelf ? "Not for yourself; another admin can." : null;
  const asked = step === "disable" ? switching : resetting;
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3}>Access</Title>
      {resetting.data && <SignInLink member={resetting.data} />}
      <Group gap="xs">
        <GuardedButton
          saysWhy
          size="xs"
          variant="default"
          refusal={own ?? (isDisabled ? "Enable the account first." : null)}
          onClick={() => setStep("reset")}
        >
          New sign-in link
        </GuardedButton>
        <GuardedButton
          saysWhy
          size="xs"
          variant="default"
          color="red"
          refusal={own}
          loading={isDisabled && switching.isPending}
          onClick={() => (isDisabled ? switching.mutate() : setStep("disable"))}
        >
          {isDisabled ? "Enable" : "Disable"}
        </GuardedButton>
      </Group>
      {isDisabled && switching.error && <ProblemAlert error={switching.error} />}
      <Modal
        opened={step !== null}
        onClose={() => setStep(null)}
        title={step === "disable" ? `Disable ${member.email}?` : `A new sign-in link for ${member.email}?`}
      >
        <Stack gap="md">
          <Text size="sm">{step === "disable" ? disableWords(member) : resetWords(member)}</Text>
          {asked.error && <ProblemAlert error={asked.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setStep(null)}>
              Cancel
            </Button>
            <Button color="red" loading={asked.isPending} onClick={() => asked.mutate()}>
              {step === "disable" ? "Disable" : "Make the link"}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}

const disableWords = ({ sessions }: StaffMember) =>
  `${counted(sessions, "session")} end${sessions === 1 ? "s" : ""} at once, a sign-in link that is out stops working, and nobody signs in to this account until you enable it again. What they did stays in the audit log.`;

const resetWords = ({ sessions }: StaffMember) =>
  `The password stops working at once, and ${counted(sessions, "session")} end${sessions === 1 ? "s" : ""}. The link works once, for ${LINK_HOURS} hours, in place of any before. Authenticator app and passkeys stay.`;
