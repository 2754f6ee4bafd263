"use client";

import { Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import { readTenantForm, type TenantForm } from "#client/tenant-form.ts";
import type { Tenant, TenantPatch } from "#contracts/tenants.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { Moment } from "../time.tsx";

interface TenantFieldsProps {
  tenant: Tenant | null;
  initial: TenantForm;
  refusal: string | null;
  isSaving: boolean;
  isSaved: boolean;
  error: unknown;
  onSave: (body: Required<TenantPatch>) => void;
}

const FIELDS = [
  { name: "name", label: "Name", description: "What people call it." },
  {
    name: "retention_days",
    label: "Days that events are kept",
    description:
      "Deliveries and attempts too. Empty: as the settings say. A lower number deletes what is older.",
  },
  {
    name: "request_rate",
    label: "Requests per second",
    description: "Of each API key, publishing aside. 0: no limit; empty: as the settings say.",
  },
  {
    name: "event_rate",
    label: "Events per second",
    description: "That it may publish. 0: no limit; empty: as the settings say.",
  },
] as const;
const NAMES = FIELDS.map(({ name }) => name);

/** The fields of a tenant. What was typed stays until it is saved. */
export function TenantFields({ tenant, initial, refusal, error, onSave, ...state }: TenantFieldsProps) {
  const [form, setForm] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<keyof TenantForm, string>>>({});
  const save = () => {
    const read = readTenantForm(form);
    setErrors(read.errors ?? {});
    if (!read.errors) onSave(read.body);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal === null) save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {tenant && (
          <div>
            <Group gap={6} wrap="nowrap">
              <Code style={{ overflowWrap: "anywhere" }}>{tenant.id}</Code>
              <CopyIcon value={tenant.id} what="tenant id" />
            </Group>
            <Text size="xs" c="dimmed">
              Made <Moment at={tenant.created_at} />
            </Text>
          </div>
        )}
        {FIELDS.map(({ name, label, description }) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            autoComplete="off"
            inputMode={name === "name" ? "text" : "numeric"}
            maxLength={100}
            readOnly={refusal !== null}
            placeholder={name === "name" ? undefined : "default"}
            value={form[name]}
            error={errors[name] ?? fieldProblem(error, name)}
            onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
          />
        ))}
        {error !== null && !isToldByFields(error, NAMES) && <ProblemAlert error={error} />}
        <Group gap="sm">
          <GuardedButton saysWhy type="submit" size="sm" refusal={refusal} loading={state.isSaving}>
            {tenant ? "Save" : "Make tenant"}
          </GuardedButton>
          {state.isSaved && (
            <Text size="sm" c="dimmed">
              Saved.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
