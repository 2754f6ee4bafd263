"use client";

import { Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { OVERLAPS } from "#client/rotation.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./rotation.module.css";

interface ChooseStepProps {
  /** The key that signs now. */
  current: string;
  refusal: string | null;
  isBusy: boolean;
  error: unknown;
  onRotate: (overlapSeconds: number) => void;
}

/** How long the old secret stays valid, and the making of the new one. */
export function ChooseStep({ current, refusal, isBusy, error, onRotate }: ChooseStepProps) {
  const [seconds, choose] = useState<number>(OVERLAPS[0].seconds);
  const [isAsking, ask] = useState(false);
  const start = () => (seconds === 0 ? ask(true) : onRotate(seconds));
  return (
    <>
      <Radio.Group
        label={`How long ${current} stays valid beside the new secret`}
        value={String(seconds)}
        onChange={(value) => choose(Number(value))}
      >
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map((each) => (
            <Radio
              key={each.seconds}
              value={String(each.seconds)}
              label={each.label}
              description={each.why}
            />
          ))}
        </Stack>
      </Radio.Group>
      {error !== null && <ProblemAlert error={error} />}
      <GuardedButton className={classes.start} refusal={refusal} loading={isBusy} onClick={start}>
        Make the new secret
      </GuardedButton>
      <Text size="xs" c="dimmed">
        {refusal ?? "From then on X-Signature is made with the new one, and webhook-signature with both."}
      </Text>
      {isAsking && (
        <ConfirmModal
          title={`End ${current} at once?`}
          action="Rotate without overlap"
          isDangerous
          isBusy={isBusy}
          error={error}
          onConfirm={() => {
            ask(false);
            onRotate(0);
          }}
          onClose={() => ask(false)}
        >
          <Text size="sm">
            A receiver that does not have the new secret refuses every delivery until it has. They are tried
            again by their schedule, and count as failed attempts.
          </Text>
        </ConfirmModal>
      )}
    </>
  );
}
