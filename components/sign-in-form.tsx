"use client";

import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { returnPath, signIn } from "#client/session.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import classes from "./sign-in-form.module.css";

/** E-mail and password; after them the page that one came from. */
export function SignInForm() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const passwordInput = useRef<HTMLInputElement>(null);
  const entering = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    // A fresh page: nothing that the last person had read is left.
    onSuccess: () => {
      const next = new URLSearchParams(window.location.search).get("next");
      window.location.assign(returnPath(next, window.location.origin));
    },
    onError: () => passwordInput.current?.select(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!entering.isPending && !entering.isSuccess) entering.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {entering.error && (
          <p role="alert" className={classes.error}>
            {messageOf(entering.error)}
          </p>
        )}
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={entering.isPending || entering.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function messageOf(error: Error): string {
  if (!(error instanceof ApiProblem)) return "Something went wrong on this page. Reload it and try again.";
  if (error.status === 401)
    return "That e-mail and password do not belong together. Check both and try again.";
  if (error.status === 429) {
    const wait = error.retryAfterMs === null ? "a minute" : `${Math.ceil(error.retryAfterMs / 1000)} seconds`;
    return `Too many tries from your address. Wait ${wait}, then try again.`;
  }
  if (error.code === "ACCOUNT_DISABLED") return "This account is disabled. Ask an admin.";
  if (error.code === "INVALID_ORIGIN")
    return "This address is not the one that the console is set up for. Open it under the address it was started with.";
  return `${error.title}. ${error.detail}`;
}
