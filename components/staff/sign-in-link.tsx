"use client";

import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { downloadText } from "#client/download.ts";
import type { InvitedStaffMember } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { Moment } from "../time.tsx";

/** The link by which somebody sets a password: shown this once. */
export function SignInLink({ member }: { member: InvitedStaffMember }) {
  const announce = useAnnounce();
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
        <Group gap="xs">
          <CopyButton value={link} timeout={1_500}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                onClick={() => {
                  copy();
                  announce("Copied the link");
                }}
              >
                {copied ? "Copied" : "Copy link"}
              </Button>
            )}
          </CopyButton>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => downloadText(`sign-in-link-${email}.txt`, `${link}\n`, "text/plain")}
          >
            Download
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
