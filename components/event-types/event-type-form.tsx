"use client";

import { Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect } from "react";
import type { Defects, Draft } from "#client/event-type-draft.ts";
import type { DraftCheck } from "#client/use-event-type-check.ts";
import { StatusMark } from "../status.tsx";
import classes from "./event-type-form.module.css";
import { JsonField } from "./json-field.tsx";

interface EventTypeFormProps {
  draft: Draft;
  onChange: (some: Partial<Draft>) => void;
  /** Whether there is something that leaving the page would lose. */
  isDirty: boolean;
  isNew: boolean;
  isReadOnly: boolean;
  check: DraftCheck;
  /** What saving found beyond that. */
  refused: Defects;
  onSubmit: () => void;
  /** The buttons and what they have to say. */
  children: ReactNode;
}

/** The fields of an event type. Nothing that was typed is ever taken away, whatever the server says of it. */
export function EventTypeForm(props: EventTypeFormProps) {
  const { draft, onChange, isNew, isReadOnly, check, refused } = props;
  useWarnBeforeLeaving(props.isDirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  const messages = (field: "name" | "description") =>
    refused[field]?.map(({ message }) => message).join(" ") ?? null;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {isNew && (
        <TextInput
          label="Name"
          description="Words of letters, digits and _ joined by full stops, such as invoice.paid."
          maw={480}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          value={draft.name}
          error={messages("name")}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Description"
        description="When such an event comes, for those who subscribe to it."
        maw={720}
        maxLength={1024}
        readOnly={isReadOnly}
        value={draft.description}
        error={messages("description")}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Checkbox
        label="Deprecated"
        description="A mark for readers; such events can still be published."
        checked={draft.deprecated}
        disabled={isReadOnly}
        onChange={(event) => onChange({ deprecated: event.currentTarget.checked })}
      />
      <div className={classes.texts}>
        <JsonField
          label="Schema"
          help="JSON Schema (2020-12) that the data must satisfy. Empty: anything goes."
          placeholder={'{\n  "type": "object",\n  "required": ["amount"]\n}'}
          value={draft.schema}
          onChange={(schema) => onChange({ schema })}
          defects={refused.schema ?? check.defects.schema ?? []}
          isReadOnly={isReadOnly}
        />
        <JsonField
          label="Example"
          help="Data of such an event; it must satisfy the schema. Test events carry it."
          placeholder={'{\n  "amount": 12.5\n}'}
          value={draft.example}
          onChange={(example) => onChange({ example })}
          defects={refused.example ?? check.defects.example ?? []}
          isReadOnly={isReadOnly}
        />
      </div>
      {!isReadOnly && (
        <div className={classes.check} aria-live="polite" data-testid="check">
          <CheckNote state={check.state} draft={draft} />
        </div>
      )}
      <div className={classes.foot}>{props.children}</div>
    </form>
  );
}

function CheckNote({ state, draft }: { state: DraftCheck["state"]; draft: Draft }) {
  switch (state) {
    case "none":
      return null;
    case "checking":
      return <StatusMark label="The server looks at it" tone="busy" />;
    case "unknown":
      return <StatusMark label="It could not be checked; saving will tell" tone="idle" />;
    case "bad":
      return <StatusMark label="The server would not take this yet" tone="bad" />;
    case "good":
      return <StatusMark label={goodWords(draft)} tone="good" />;
  }
}

function goodWords({ schema, example }: Draft): string {
  if (schema.trim() === "") return "The server takes the example";
  return example.trim() === ""
    ? "The server takes the schema"
    : "The server takes the schema, and the example satisfies it";
}

function useWarnBeforeLeaving(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);
}
