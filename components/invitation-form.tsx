"use client";

import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { setPasswordByLink, signIn } from "#client/session.ts";
import { MIN_PASSWORD_LENGTH } from "#contracts/staff.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { CodeStep } from "./code-step.tsx";
import classes from "./sign-in-form.module.css";

interface Link {
  token: string;
  email: string;
}

/** Sets the password that a link is for, and signs in with it. */
export function InvitationForm() {
  const [link, setLink] = useState<Link | null>(null);
  useEffect(() => {
    const held = new URLSearchParams(window.location.hash.slice(1));
    setLink({ token: held.get("token") ?? "", email: held.get("email") ?? "" });
    // It is of use once: it need not stay in the address and the history.
    window.history.replaceState(null, "", window.location.pathname);
  }, []);
  if (!link) return <Skeleton height={200} />;
  if (link.token === "")
    return (
      <Text size="sm">
        This address lacks what the link had after its #. Open the whole link again, or ask an admin for a new
        one.
      </Text>
    );
  return <PasswordFields link={link} />;
}

const enter = () => window.location.assign("/");

function PasswordFields({ link }: { link: Link }) {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [mismatch, setMismatch] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const setting = useMutation({
    mutationFn: async () => {
      await setPasswordByLink(link.token, password);
      // Without the right e-mail the sign-in page asks for it.
      return signIn(link.email, password).catch(() => ({ needsCode: false }));
    },
    onSuccess: (entered) => (entered.needsCode ? setNeedsCode(true) : enter()),
  });
  if (needsCode) return <CodeStep onDone={enter} onOver={enter} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMismatch(password !== again);
    if (password === again && !setting.isPending && !setting.isSuccess) setting.mutate();
  };
  const field = (label: string, value: string, onChange: (text: string) => void, error?: string) => (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={128}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": `Show: ${label.toLowerCase()}` }}
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {setting.error && (
          <p role="alert" className={classes.error}>
            {messageOf(setting.error)}
          </p>
        )}
        <TextInput label="E-mail" autoComplete="username" readOnly value={link.email} />
        {field("New password", password, setPassword)}
        {field("New password again", again, setAgain, mismatch ? "The two are not the same." : undefined)}
        <Text size="xs" c="dimmed">
          At least {MIN_PASSWORD_LENGTH} characters. Several words in a row are easy to remember.
        </Text>
        <Button type="submit" fullWidth loading={setting.isPending || setting.isSuccess}>
          Set password and sign in
        </Button>
      </Stack>
    </form>
  );
}

function messageOf(error: Error): string {
  if (!(error instanceof ApiProblem)) return "Something went wrong on this page. Reload it and try again.";
  if (error.code === "INVALID_TOKEN")
    return "This link was used before, has expired, or was replaced by a newer one. Ask an admin for a new link.";
  if (error.status === 429) return "Too many tries from your address. Wait a minute, then try again.";
  return `${error.title}. ${error.detail}`;
}
