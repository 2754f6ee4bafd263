"use client";

import { Stack, Text, Title } from "@mantine/core";
import { useParams } from "next/navigation";
import { useState } from "react";
import { validKeys } from "#client/rotation.ts";
import { useRotation } from "#client/use-rotation.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { MissingEndpoint } from "../endpoint/missing-endpoint.tsx";
import { PageHeader } from "../page-header.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { ChooseStep } from "./choose-step.tsx";
import { EndStep } from "./end-step.tsx";
import { HandOverStep } from "./hand-over-step.tsx";
import { RevokeSecretDialog } from "./revoke-secret-dialog.tsx";
import classes from "./rotation.module.css";
import { SecretList } from "./secret-list.tsx";
import { Step } from "./step.tsx";
import { WatchStep } from "./watch-step.tsx";

/** Guides through the rotation of a signing secret, from the choice of the overlap to the end of the old one. */
export function RotationPage() {
  const { tenantId, refuse } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const announce = useAnnounce();
  const [revoked, askToRevoke] = useState<string | null>(null);
  const { endpoint, secrets, rotating } = useRotation(tenantId, id);
  const refusal = refuse("secrets:rotate", "rotate or revoke secrets");
  const { current, overlapping } = validKeys(secrets.data ?? []);
  const old = overlapping[0] ?? secrets.data?.find(({ kid }) => kid !== current?.kid);
  const hasRotated = old !== undefined;
  const begin = (seconds: number) =>
    rotating.mutate(seconds, {
      onSuccess: ({ kid }) => announce(`${kid} signs from now on. The secret is shown this once.`),
    });
  return (
    <Stack gap="md">
      <BackLink path={`/endpoints/${id}`}>The endpoint</BackLink>
      {endpoint.data && current ? (
        <>
          <PageHeader title="Rotate the signing secret">{endpoint.data.url}</PageHeader>
          <div className={classes.page}>
            <section aria-label="Secrets">
              <Title order={2} mb="xs">
                Secrets
              </Title>
              <SecretList secrets={secrets.data} refusal={refusal} onRevoke={askToRevoke} />
              <Text size="xs" c="dimmed" mt="xs">
                Values are never shown again. There is always one that is current.
              </Text>
            </section>
            <ol className={classes.steps}>
              <Step number={1} title="Choose the overlap" isWaiting={false}>
                <ChooseStep
                  current={current.kid}
                  refusal={refusal}
                  isBusy={rotating.isPending}
                  error={rotating.error}
                  onRotate={begin}
                />
              </Step>
              <Step number={2} title="Give the receiver the new secret" isWaiting={!hasRotated}>
                {hasRotated ? (
                  <HandOverStep
                    endpoint={endpoint.data}
                    made={rotating.data ?? null}
                    keys={{ old: old.kid, current: current.kid }}
                    onKept={() => rotating.reset()}
                  />
                ) : (
                  <Text size="sm">It is shown once, to copy or to save.</Text>
                )}
              </Step>
              <Step number={3} title="Watch what is signed with which key" isWaiting={!hasRotated}>
                {hasRotated ? (
                  <WatchStep endpointId={id} current={current} />
                ) : (
                  <Text size="sm">Every delivery since the switch, and whether the receiver took it.</Text>
                )}
              </Step>
              <Step number={4} title="End the old secret" isWaiting={!hasRotated}>
                {hasRotated ? (
                  <EndStep
                    current={current}
                    overlapping={overlapping}
                    refusal={refusal}
                    onRevoke={askToRevoke}
                  />
                ) : (
                  <Text size="sm">It ends by itself after the overlap, or sooner if you revoke it.</Text>
                )}
              </Step>
            </ol>
          </div>
        </>
      ) : (
        <MissingEndpoint
          error={endpoint.error ?? secrets.error}
          onRetry={() => void Promise.all([endpoint.refetch(), secrets.refetch()])}
        />
      )}
      {revoked && current && (
        <RevokeSecretDialog
          endpointId={id}
          kid={revoked}
          current={current.kid}
          onClose={() => askToRevoke(null)}
        />
      )}
    </Stack>
  );
}
