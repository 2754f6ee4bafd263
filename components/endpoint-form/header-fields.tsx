"use client";

import { Button, CloseButton, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { HeaderField } from "#client/endpoint-form.ts";
import type { FieldsProps } from "./endpoint-fields.tsx";
import classes from "./endpoint-form.module.css";

const MAX_HEADERS = 20;

/** Request headers of the customer's own. Values that are kept are never shown. */
export function HeaderFields({ form, errors, onChange }: FieldsProps) {
  const { headers } = form;
  const set = (key: number, some: Partial<HeaderField>) =>
    onChange({ headers: headers.map((each) => (each.key === key ? { ...each, ...some } : each)) });
  const add = () => {
    const key = Math.max(-1, ...headers.map((each) => each.key)) + 1;
    onChange({ headers: [...headers, { key, name: "", value: "", isKept: false }] });
  };
  return (
    <fieldset className={classes.group}>
      <legend>Further request headers</legend>
      <Text size="xs" c="dimmed">
        Sent with every request, such as an Authorization that the receiver asks for. Kept encrypted and never
        shown again.
      </Text>
      {headers.map(({ key, name, value, isKept }) => (
        <div key={key} className={classes.header}>
          <TextInput
            aria-label="Name of the header"
            placeholder="X-Team"
            autoComplete="off"
            spellCheck={false}
            readOnly={isKept}
            value={name}
            error={errors[`headers/${name}`]}
            onChange={(event) => set(key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={name === "" ? "Value of the header" : `Value of ${name}`}
            placeholder={isKept ? "kept as it is; type to replace it" : "Value"}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => set(key, { value: event.currentTarget.value })}
          />
          <CloseButton
            aria-label={name === "" ? "Remove the header" : `Remove ${name}`}
            onClick={() => onChange({ headers: headers.filter((each) => each.key !== key) })}
          />
        </div>
      ))}
      {errors.headers && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {errors.headers}
        </Text>
      )}
      {headers.length < MAX_HEADERS && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          className={classes.add}
          onClick={add}
        >
          Add a header
        </Button>
      )}
    </fieldset>
  );
}
