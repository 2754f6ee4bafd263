"use client";

import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import { invite, staffKey } from "#client/staff.ts";
import type { Role } from "#contracts/scopes.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { RolePicker } from "./role-picker.tsx";
import { SignInLink } from "./sign-in-link.tsx";

const EMPTY = { email: "", name: "", role: "support" as Role };

/** Invites somebody, and shows the link to hand over. */
export function InviteForm() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [form, setForm] = useState(EMPTY);
  const inviting = useMutation({
    mutationFn: () =>
      invite({ ...form, email: form.email.trim(), name: form.name.trim() }, crypto.randomUUID()),
    onSuccess: async ({ email }) => {
      announce(`Invited ${email}; the link is shown now, this once`);
      await client.invalidateQueries({ queryKey: staffKey });
    },
    // The link is kept by nobody once it is out of sight.
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    inviting.mutate();
  };
  if (inviting.data)
    return (
      <Stack gap="md">
        <SignInLink member={inviting.data} />
        <Button
          variant="default"
          onClick={() => {
            inviting.reset();
            setForm(EMPTY);
          }}
        >
          Invite somebody else
        </Button>
      </Stack>
    );
  const { error } = inviting;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          description="What they sign in with. No mail is sent: you hand over the link."
          autoComplete="off"
          maxLength={254}
          value={form.email}
          error={fieldProblem(error, "email")}
          onChange={(event) => setForm({ ...form, email: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="As colleagues know them."
          autoComplete="off"
          maxLength={100}
          value={form.name}
          error={fieldProblem(error, "name")}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <RolePicker value={form.role} onChange={(role) => setForm({ ...form, role })} />
        {error && !isToldByFields(error, ["email", "name", "role"]) && <ProblemAlert error={error} />}
        <Button type="submit" loading={inviting.isPending} style={{ alignSelf: "flex-start" }}>
          Invite
        </Button>
      </Stack>
    </form>
  );
}
