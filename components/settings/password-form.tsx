"use client";

import { Button, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { changeOwnPassword, ownSessionsQuery } from "#client/account.ts";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import type { Role } from "#contracts/scopes.ts";
import { MIN_PASSWORD_LENGTH } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./settings-view.module.css";

const EMPTY = { current: "", wanted: "" };

/** Changes one's own password. */
export function PasswordForm({ email, role }: { email: string; role: Role }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [form, setForm] = useState(EMPTY);
  const changing = useMutation({
    mutationFn: () => changeOwnPassword(form.current, form.wanted),
    onSuccess: async () => {
      setForm(EMPTY);
      announce("Password changed");
      await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  const field = (name: keyof typeof EMPTY, label: string, member: string) => (
    <PasswordInput
      label={label}
      name={member}
      autoComplete={name === "current" ? "current-password" : "new-password"}
      description={name === "wanted" ? `At least ${MIN_PASSWORD_LENGTH} characters.` : undefined}
      value={form[name]}
      error={fieldProblem(changing.error, member)}
      onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
      visibilityToggleButtonProps={{ "aria-label": `Show the ${label.toLowerCase()}` }}
    />
  );
  return (
    <section className={classes.section} aria-labelledby="password">
      <Title order={2} id="password">
        Password
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        You are {email}, role {role}. A new password ends your sessions everywhere else.
      </Text>
      <form onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Stack gap="sm" maw={360}>
          {field("current", "Current password", "current_password")}
          {field("wanted", "New password", "new_password")}
          {changing.error && !isToldByFields(changing.error, ["current_password", "new_password"]) && (
            <ProblemAlert error={changing.error} />
          )}
          <Button
            type="submit"
            loading={changing.isPending}
            disabled={form.current === "" || form.wanted === ""}
            style={{ alignSelf: "flex-start" }}
          >
            Change password
          </Button>
          {changing.isSuccess && (
            <Text size="sm">Changed. You are still signed in here, and nowhere else.</Text>
          )}
        </Stack>
      </form>
    </section>
  );
}
