"use client";

import { Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { passkeyRefusalHere, signInWithPasskey } from "#client/passkeys.ts";
import { returnPath, signIn } from "#client/session.ts";
import { signInWords } from "#client/sign-in-words.ts";
import { useHydrated } from "#client/use-hydrated.ts";
import { CodeStep } from "./code-step.tsx";
import { GuardedButton } from "./guarded-button.tsx";
import classes from "./sign-in-form.module.css";

// A fresh page: nothing that the last person had read is left.
function enter(): void {
  const next = new URLSearchParams(window.location.search).get("next");
  window.location.assign(returnPath(next, window.location.origin));
}

/** E-mail and password, then a code where two-factor is on; or a passkey. After them the page that one came from. */
export function SignInForm() {
  const [needsCode, setNeedsCode] = useState(false);
  const [over, setOver] = useState<string | null>(null);
  if (needsCode)
    return (
      <CodeStep
        onDone={enter}
        onOver={(why) => {
          setOver(why);
          setNeedsCode(false);
        }}
      />
    );
  return (
    <Stack gap="md">
      <PasswordFields
        over={over}
        onCode={() => {
          setOver(null);
          setNeedsCode(true);
        }}
      />
      <Divider label="or" />
      <PasskeyButton />
    </Stack>
  );
}

const textOf = (fields: FormData, name: string) => String(fields.get(name) ?? "");

/** The fields are the browser's own: what is typed before the page is ready stays. */
function PasswordFields({ over, onCode }: { over: string | null; onCode: () => void }) {
  const isReady = useHydrated();
  const passwordInput = useRef<HTMLInputElement>(null);
  const entering = useMutation({
    mutationFn: (fields: FormData) => signIn(textOf(fields, "email").trim(), textOf(fields, "password")),
    onSuccess: ({ needsCode }) => (needsCode ? onCode() : enter()),
    onError: () => passwordInput.current?.select(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!entering.isPending && !entering.isSuccess) entering.mutate(new FormData(event.currentTarget));
  };
  const wrong = entering.error ? signInWords(entering.error) : over;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {wrong !== null && (
          <p role="alert" className={classes.error}>
            {wrong}
          </p>
        )}
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
        />
        <PasswordInput
          ref={passwordInput}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        />
        {/* Sent by the browser alone, the password would stand in the address. */}
        <Button
          type="submit"
          fullWidth
          className={classes.submit}
          disabled={!isReady}
          loading={entering.isPending || entering.isSuccess}
        >
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function PasskeyButton() {
  const refusal = useHydrated() ? passkeyRefusalHere() : null;
  const entering = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter });
  return (
    <>
      {entering.error && (
        <p role="alert" className={classes.error}>
          {signInWords(entering.error)}
        </p>
      )}
      <GuardedButton
        saysWhy
        fullWidth
        variant="default"
        refusal={refusal}
        loading={entering.isPending || entering.isSuccess}
        onClick={() => entering.mutate()}
      >
        Sign in with a passkey
      </GuardedButton>
    </>
  );
}
