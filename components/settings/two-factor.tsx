"use client";

import { Button, Group, Skeleton, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { counted } from "#client/format.ts";
import { beginTwoFactor, endTwoFactor, makeBackupCodes, secondFactorsQuery } from "#client/second-factors.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { Moment } from "../time.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import classes from "./settings-view.module.css";
import { TwoFactorSetUp } from "./two-factor-set-up.tsx";

/** Whether one's password needs a code beside it: to turn it on and off, and for new backup codes. */
export function TwoFactor() {
  const factors = useQuery(secondFactorsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={classes.section} aria-labelledby="two-factor">
      <Title order={2} id="two-factor" ref={heading} tabIndex={-1}>
        Two-factor
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        With it your password lets nobody in without a code of an app on your phone. An app such as Aegis,
        1Password or Google Authenticator makes one every 30 seconds.
      </Text>
      {factors.isPending && <Skeleton height={36} />}
      {factors.error && <ProblemAlert error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.data && (
        <TwoFactorState
          since={factors.data.two_factor ? factors.data.two_factor_since : null}
          codesLeft={factors.data.backup_codes_left}
          onLeft={() => heading.current?.focus()}
        />
      )}
    </section>
  );
}

interface StateProps {
  /** Shows backup codes, and says so. */
  onCodes: (codes: readonly string[], said: string) => void;
}

interface TwoFactorStateProps {
  since: string | null;
  codesLeft: number;
  /** What the focus was in is there no more. */
  onLeft: () => void;
}

function TwoFactorState({ since, codesLeft, onLeft }: TwoFactorStateProps) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const show = (made: readonly string[], said: string) => {
    setCodes(made);
    announce(said);
    void client.invalidateQueries({ queryKey: secondFactorsQuery.queryKey });
  };
  const leave = () => {
    setCodes(null);
    onLeft();
  };
  if (codes) return <BackupCodes codes={codes} onDone={leave} />;
  return since === null ? (
    <TwoFactorOff onCodes={show} />
  ) : (
    <TwoFactorOn since={since} codesLeft={codesLeft} onCodes={show} />
  );
}

function TwoFactorOff({ onCodes }: StateProps) {
  const beginning = useMutation({ mutationFn: beginTwoFactor, gcTime: 0 });
  if (beginning.data)
    return (
      <TwoFactorSetUp
        setUp={beginning.data}
        onCancel={beginning.reset}
        onDone={(codes) => onCodes(codes, "Two-factor is on. Your backup codes are shown now, this once")}
      />
    );
  return (
    <>
      <Button loading={beginning.isPending} onClick={() => beginning.mutate()}>
        Set up two-factor
      </Button>
      {beginning.error && <ProblemAlert error={beginning.error} />}
    </>
  );
}

function TwoFactorOn({ since, codesLeft, onCodes }: StateProps & { since: string; codesLeft: number }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState<"off" | "codes" | null>(null);
  const ending = useMutation({
    mutationFn: endTwoFactor,
    onSuccess: async () => {
      announce("Two-factor is off");
      await client.invalidateQueries({ queryKey: secondFactorsQuery.queryKey });
    },
  });
  const renewing = useMutation({
    mutationFn: makeBackupCodes,
    gcTime: 0,
    onSuccess: ({ backup_codes: codes }) => onCodes(codes, "New backup codes are shown now, this once"),
  });
  const close = () => setAsked(null);
  return (
    <>
      <Text size="sm" mb="sm">
        On since <Moment at={since} />. {counted(codesLeft, "backup code")} left
        {codesLeft < 3 && ": make new ones before you need them"}.
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsked("codes")}>
          New backup codes
        </Button>
        <Button variant="default" color="red" onClick={() => setAsked("off")}>
          Turn off
        </Button>
      </Group>
      {asked === "off" && (
        <ConfirmModal
          {...{ title: "Turn two-factor off?", action: "Turn off", isDangerous: true, onClose: close }}
          isBusy={ending.isPending}
          error={ending.error}
          onConfirm={() => ending.mutate()}
        >
          From now on your password alone lets in. The app’s entry and your backup codes are of no use any
          more.
        </ConfirmModal>
      )}
      {asked === "codes" && (
        <ConfirmModal
          {...{ title: "Make new backup codes?", action: "Make new codes", onClose: close }}
          isBusy={renewing.isPending}
          error={renewing.error}
          onConfirm={() => renewing.mutate()}
        >
          The {codesLeft} that you have are of no use from then on.
        </ConfirmModal>
      )}
    </>
  );
}
