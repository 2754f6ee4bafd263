"use client";

import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { uuidv7 } from "uuidv7";
import { EXPIRIES, faultsOf, type KeyForm, keysQuery, makeKey } from "#client/api-keys.ts";
import { serverErrors } from "#client/endpoint-form.ts";
import { type KeyScope, SCOPE_GROUPS, SCOPE_WORDS } from "#client/scope-words.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useAnnounce } from "../announcer.tsx";
import { useConsole } from "../console-context.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./api-keys.module.css";
import { KeyOnce } from "./key-once.tsx";

const EMPTY: KeyForm = { name: "", scopes: [], expiry: EXPIRIES[0].value };

/** Makes an API key, and shows it this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { tenantId } = useConsole();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [form, set] = useState(EMPTY);
  const [isChecked, check] = useState(false);
  const making = useMutation({
    mutationFn: () => makeKey(tenantId, form, { nowMs: Date.now(), key: uuidv7() }),
    // What is shown once is not kept for longer than it is shown.
    gcTime: 0,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keysQuery(tenantId).queryKey });
      announce("The API key is made. It is shown this once.");
    },
  });
  const refused = making.error instanceof ApiProblem ? (making.error.problem?.errors ?? []) : [];
  const faults: Readonly<Record<string, string>> = {
    ...serverErrors(refused),
    ...(isChecked ? faultsOf(form) : null),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(true);
    if (faultsOf(form) === null && !making.isPending) making.mutate();
  };
  return (
    <Modal opened onClose={onClose} title="New API key" size="xl" closeOnClickOutside={!making.data}>
      {making.data ? (
        <KeyOnce made={making.data} onClose={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              data-autofocus
              label="Name"
              description="What it is for, so that it can be told apart."
              autoComplete="off"
              value={form.name}
              error={faults.name}
              onChange={(event) => set({ ...form, name: event.currentTarget.value })}
            />
            <ScopeChoice
              picked={form.scopes}
              fault={faults.scopes}
              onChange={(scopes) => set({ ...form, scopes })}
            />
            <NativeSelect
              label="Ends"
              data={[...EXPIRIES]}
              value={form.expiry}
              error={faults.expires_at}
              onChange={(event) => set({ ...form, expiry: event.currentTarget.value })}
            />
            {making.error && <ProblemAlert error={making.error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={making.isPending}>
                Make the key
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

interface ScopeChoiceProps {
  picked: readonly KeyScope[];
  fault: string | undefined;
  onChange: (scopes: KeyScope[]) => void;
}

function ScopeChoice({ picked, fault, onChange }: ScopeChoiceProps) {
  const toggle = (scope: KeyScope) =>
    onChange(picked.includes(scope) ? picked.filter((each) => each !== scope) : [...picked, scope]);
  return (
    <fieldset className={classes.scopes}>
      <legend>What it may do</legend>
      {SCOPE_GROUPS.map(({ label, scopes }) => (
        <div key={label} className={classes.group}>
          <h3>{label}</h3>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              description={SCOPE_WORDS[scope]}
              checked={picked.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </div>
      ))}
      {fault && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </fieldset>
  );
}
