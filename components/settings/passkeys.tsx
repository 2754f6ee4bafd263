"use client";

import { Button, Group, Skeleton, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { addPasskey, passkeyRefusalHere } from "#client/passkeys.ts";
import { deletePasskey, renamePasskey, secondFactorsQuery } from "#client/second-factors.ts";
import { signInWords } from "#client/sign-in-words.ts";
import { useHydrated } from "#client/use-hydrated.ts";
import type { Passkey } from "#contracts/second-factors.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useAnnounce } from "../announcer.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { Ago } from "../time.tsx";
import factorClasses from "./second-factors.module.css";
import classes from "./settings-view.module.css";

const LONGEST_NAME = 100;

/** One's own passkeys: to add, rename and remove. */
export function Passkeys() {
  const factors = useQuery(secondFactorsQuery);
  return (
    <section className={classes.section} aria-labelledby="passkeys">
      <Title order={2} id="passkeys">
        Passkeys
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        A passkey signs you in by itself, with the fingerprint, face or PIN of a device or security key. No
        page but this console’s can use it.
      </Text>
      {factors.isPending && <Skeleton height={36} />}
      {factors.error && <ProblemAlert error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.data && (
        <>
          {factors.data.passkeys.length === 0 && <Text size="sm">You have none yet.</Text>}
          <ul className={factorClasses.list}>
            {factors.data.passkeys.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} />
            ))}
          </ul>
          <NewPasskey />
        </>
      )}
    </section>
  );
}

function useChanged() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return async (said: string) => {
    announce(said);
    await client.invalidateQueries({ queryKey: secondFactorsQuery.queryKey });
  };
}

function NewPasskey() {
  const changed = useChanged();
  const [name, setName] = useState("");
  const refusal = useHydrated() ? passkeyRefusalHere() : null;
  const adding = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async () => {
      setName("");
      await changed("Passkey added");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal === null && !adding.isPending && name.trim() !== "") adding.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput
          label="Name of the new one"
          placeholder="My phone"
          maxLength={LONGEST_NAME}
          autoComplete="off"
          disabled={refusal !== null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <GuardedButton
          type="submit"
          refusal={refusal ?? (name.trim() === "" ? "Give it a name first." : null)}
          loading={adding.isPending}
        >
          Add a passkey
        </GuardedButton>
      </Group>
      {refusal !== null && (
        <Text size="sm" mt="xs">
          {refusal}
        </Text>
      )}
      {adding.error && (
        <Text size="sm" mt="xs" c="var(--mantine-color-error)" role="alert">
          {adding.error instanceof ApiProblem && adding.error.slug !== null
            ? `${adding.error.title}. ${adding.error.detail}`
            : signInWords(adding.error)}
        </Text>
      )}
    </form>
  );
}

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const changed = useChanged();
  const [step, setStep] = useState<"rename" | "remove" | null>(null);
  const removing = useMutation({
    mutationFn: () => deletePasskey(passkey.id),
    onSuccess: () => changed("Passkey removed"),
  });
  if (step === "rename") return <Rename passkey={passkey} onDone={() => setStep(null)} />;
  return (
    <li className={factorClasses.item}>
      <div className={factorClasses.name}>
        <Text size="sm" fw={500}>
          {passkey.name}
        </Text>
        <Text size="xs" c="dimmed">
          Added <Ago at={passkey.created_at} />,{" "}
          {passkey.last_used_at ? (
            <>
              last used <Ago at={passkey.last_used_at} />
            </>
          ) : (
            "never used"
          )}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          aria-label={`Rename ${passkey.name}`}
          onClick={() => setStep("rename")}
        >
          Rename
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove ${passkey.name}`}
          onClick={() => setStep("remove")}
        >
          Remove
        </Button>
      </Group>
      {step === "remove" && (
        <ConfirmModal
          title={`Remove ${passkey.name}?`}
          action="Remove"
          isDangerous
          isBusy={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate()}
          onClose={() => setStep(null)}
        >
          It signs you in no more. Remove it from the device too, where it stays in the list of passkeys.
        </ConfirmModal>
      )}
    </li>
  );
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const changed = useChanged();
  const [name, setName] = useState(passkey.name);
  const renaming = useMutation({
    mutationFn: () => renamePasskey(passkey.id, name.trim()),
    onSuccess: async () => {
      await changed("Passkey renamed");
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <li className={factorClasses.item}>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            autoFocus
            label={`New name of ${passkey.name}`}
            maxLength={LONGEST_NAME}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={renaming.isPending} disabled={name.trim() === ""}>
            Save
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
        {renaming.error && <ProblemAlert error={renaming.error} />}
      </form>
    </li>
  );
}
