"use client";

import { TagsInput, Textarea, TextInput } from "@mantine/core";
import type { EndpointForm, FieldErrors } from "#client/endpoint-form.ts";
import { BUILT_IN_TYPES } from "#contracts/events.ts";
import classes from "./endpoint-form.module.css";

export interface FieldsProps {
  form: EndpointForm;
  errors: FieldErrors;
  onChange: (some: Partial<EndpointForm>) => void;
}

const SUGGESTED = ["*", ...BUILT_IN_TYPES];

/** Where it is, and what it gets. */
export function EndpointFields({ form, errors, onChange }: FieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>What is sent where</legend>
      <TextInput
        label="URL"
        description="Public https; a name, not an address in digits, unless the operator has opened a range."
        placeholder="https://example.com/webhooks/provider"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        name="url"
        value={form.url}
        error={errors.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        description="For you and your colleagues; receivers do not see it."
        autoComplete="off"
        name="description"
        value={form.description}
        error={errors.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <TagsInput
        label="Event types"
        description="Exact names, prefixes that end in *, or * for all but those about Posthorn itself. Press Enter after each."
        data={SUGGESTED}
        acceptValueOnBlur
        splitChars={[",", " "]}
        value={form.eventTypes}
        error={errors.event_types}
        onChange={(eventTypes) => onChange({ eventTypes })}
      />
      <Textarea
        label="Filter"
        description="Which of these events, by what is in their data, as JSON. Empty: all of them."
        placeholder={'{ "Total": { "$gte": 100 } }'}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.code }}
        value={form.filter}
        error={errors.filter}
        onChange={(event) => onChange({ filter: event.currentTarget.value })}
      />
    </fieldset>
  );
}
