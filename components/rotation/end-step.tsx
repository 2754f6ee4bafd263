"use client";

import { Group, Text } from "@mantine/core";
import type { EndpointSecret } from "#contracts/endpoint-secrets.ts";
import { GuardedButton } from "../guarded-button.tsx";
import { Moment, Until } from "../time.tsx";

interface EndStepProps {
  current: EndpointSecret;
  overlapping: readonly EndpointSecret[];
  refusal: string | null;
  onRevoke: (kid: string) => void;
}

/** Whether the old secret is revoked now or ends by itself. */
export function EndStep({ current, overlapping, refusal, onRevoke }: EndStepProps) {
  if (overlapping.length === 0)
    return (
      <Text size="sm">
        Nothing is left to do: {current.kid} is the only valid key, and stays so until somebody rotates again.
      </Text>
    );
  return (
    <>
      {overlapping.map(({ kid, expires_at: at }) => (
        <Group key={kid} gap="sm">
          <GuardedButton variant="default" size="xs" refusal={refusal} onClick={() => onRevoke(kid)}>
            {`Revoke ${kid} now`}
          </GuardedButton>
          <Text size="sm">
            {at ? (
              <>
                or leave it: it ends by itself <Until at={at} />, at <Moment at={at} />
              </>
            ) : (
              "or leave it as it is"
            )}
          </Text>
        </Group>
      ))}
      <Text size="xs" c="dimmed">
        Accepted deliveries do not prove yet that the receiver has {current.kid}: while both are valid,
        webhook-signature is made with the old key too. Make sure that it was installed before you revoke.
      </Text>
    </>
  );
}
