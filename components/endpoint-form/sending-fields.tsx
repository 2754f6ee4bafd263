"use client";

import { Checkbox, Select, TextInput } from "@mantine/core";
import type { EndpointForm } from "#client/endpoint-form.ts";
import type { FieldsProps } from "./endpoint-fields.tsx";
import classes from "./endpoint-form.module.css";

const FORMATS = [
  { value: "hex", label: "hex: HMAC-SHA256 of the body, in hex" },
  { value: "sha256", label: "sha256: the same, after “sha256=”" },
  { value: "timestamped", label: "timestamped: of the time and the body" },
] as const;

/** How requests are signed. */
export function SigningFields({ form, onChange }: FieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>How it is signed</legend>
      <Select
        label="Form of X-Signature"
        description="webhook-signature (Standard Webhooks) is sent in any case."
        data={FORMATS}
        allowDeselect={false}
        value={form.format}
        onChange={(format) => format && onChange({ format: format as EndpointForm["format"] })}
      />
      <Checkbox
        label="Sign with ed25519 as well"
        description="Receivers verify v1a with the public key, and need no secret for it."
        checked={form.isAsymmetric}
        onChange={(event) => onChange({ isAsymmetric: event.currentTarget.checked })}
      />
    </fieldset>
  );
}

type TextField = {
  [K in keyof EndpointForm]: EndpointForm[K] extends string ? K : never;
}[keyof EndpointForm];

interface NumberField {
  name: Exclude<TextField, "format">;
  field: string;
  label: string;
  description: string;
  placeholder?: string;
}

const PACE: readonly NumberField[] = [
  {
    name: "rateLimit",
    field: "rate_limit",
    label: "Deliveries per second",
    description: "1 to 10,000. Empty: no limit.",
  },
  {
    name: "maxInFlight",
    field: "max_in_flight",
    label: "Requests at a time",
    description: "1 to 100.",
  },
  {
    name: "timeoutSeconds",
    field: "timeout_ms",
    label: "Timeout of an attempt, in seconds",
    description: "1 to 30.",
  },
];

const RETRIES: readonly NumberField[] = [
  {
    name: "maxAttempts",
    field: "retry_policy/max_attempts",
    label: "Attempts at most",
    description: "1 to 15, the first included. Empty: the usual number.",
  },
  {
    name: "schedule",
    field: "retry_policy/schedule_seconds",
    label: "Pauses between attempts, in seconds",
    description: "Separated by commas. Empty: the usual schedule.",
    placeholder: "5, 300, 1800, 7200",
  },
];

/** How fast and how often it is sent. */
export function PaceFields(props: FieldsProps) {
  const { form, onChange } = props;
  return (
    <fieldset className={classes.group}>
      <legend>How fast, and how often again</legend>
      <div className={classes.pair}>
        {PACE.map((each) => (
          <NumberInputOf key={each.name} {...props} of={each} />
        ))}
      </div>
      <Checkbox
        label="Strictly in order"
        description="One after the other: a delivery that fails holds back all that follow, until it is delivered or given up."
        checked={form.isOrdered}
        onChange={(event) => onChange({ isOrdered: event.currentTarget.checked })}
      />
      <div className={classes.pair}>
        {RETRIES.map((each) => (
          <NumberInputOf key={each.name} {...props} of={each} />
        ))}
      </div>
    </fieldset>
  );
}

function NumberInputOf({ form, errors, onChange, of }: FieldsProps & { of: NumberField }) {
  return (
    <TextInput
      label={of.label}
      description={of.description}
      placeholder={of.placeholder}
      autoComplete="off"
      inputMode="decimal"
      value={form[of.name]}
      error={errors[of.field]}
      onChange={(event) => onChange({ [of.name]: event.currentTarget.value })}
    />
  );
}
