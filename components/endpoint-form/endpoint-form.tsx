"use client";

import { Button, Group } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type FieldErrors, type EndpointForm as Form, serverErrors } from "#client/endpoint-form.ts";
import { counted } from "#client/format.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useAnnounce } from "../announcer.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { EndpointFields } from "./endpoint-fields.tsx";
import classes from "./endpoint-form.module.css";
import { HeaderFields } from "./header-fields.tsx";
import { MatchPreview } from "./match-preview.tsx";
import { PaceFields, SigningFields } from "./sending-fields.tsx";

interface EndpointFormProps {
  initial: Form;
  action: string;
  /** Why it cannot be saved; the form can be read in any case. */
  refusal: string | null;
  isBusy: boolean;
  error: unknown;
  /** Checks what was typed and sends it; gives what is wrong with which field. */
  onSubmit: (form: Form) => FieldErrors | null;
  onCancel: () => void;
  /** What is to be said before the buttons. */
  children?: ReactNode;
}

/** All settings of an endpoint. What was typed stays, whatever the server says of it. */
export function EndpointForm(props: EndpointFormProps) {
  const { initial, action, refusal, isBusy, error, onSubmit, onCancel, children } = props;
  const [form, set] = useState(initial);
  const [own, setOwn] = useState<FieldErrors>({});
  const element = useRef<HTMLFormElement>(null);
  const announce = useAnnounce();
  const problems = error instanceof ApiProblem ? (error.problem?.errors ?? []) : [];
  const errors = { ...serverErrors(problems), ...own };
  const fields = { form, errors, onChange: (some: Partial<Form>) => set({ ...form, ...some }) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal !== null || isBusy) return;
    const found = onSubmit(form) ?? {};
    setOwn(found);
    const count = Object.keys(found).length;
    if (count === 0) return;
    announce(`${counted(count, "field is", "fields are")} not right yet`);
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>("[aria-invalid='true'], [data-error]")?.focus(),
    );
  };
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <EndpointFields {...fields} />
          <MatchPreview eventTypes={form.eventTypes} filter={form.filter} />
        </div>
        <div className={classes.column}>
          <PaceFields {...fields} />
          <SigningFields {...fields} />
          <HeaderFields {...fields} />
        </div>
      </div>
      {error !== null && error !== undefined && <ProblemAlert error={error} />}
      {children}
      <Group gap="xs">
        <GuardedButton type="submit" size="sm" refusal={refusal} saysWhy loading={isBusy}>
          {action}
        </GuardedButton>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
