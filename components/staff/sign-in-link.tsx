"use client";

import { Alert, Code, Stack, Text } from "@mantine/core";
import type { InvitedStaffMember } from "#contracts/staff.ts";
import { CopyAndSave } from "../copy-and-save.tsx";
import { Moment } from "../time.tsx";

/** The link by which somebody sets a password: shown this once. */
export function SignInLink({ member }: { member: InvitedStaffMember }) {
  const { sign_in_link: link, email, link_expires_at: expiresAt } = member;
  return (
    <Alert variant="default" role="status" title={`The link for ${email}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          It is shown this once. Whoever opens it first sets the password, so hand it over where only this
          person reads it.
        </Text>
        <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }} data-testid="sign-in-link">
          {link}
        </Code>
        {expiresAt && (
          <Text size="xs" c="dimmed">
            It works once, until <Moment at={expiresAt} />.
          </Text>
        )}
        <CopyAndSave what="link" value={link} fileName={`sign-in-link-${email}.txt`} copyLabel="Copy link" />
      </Stack>
    </Alert>
  );
}
