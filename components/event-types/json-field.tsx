"use client";

import { Button } from "@mantine/core";
import { useId } from "react";
import type { FieldDefect } from "#client/event-type-draft.ts";
import { prettyJson } from "#client/pretty-json.ts";
import classes from "./json-field.module.css";

const MIN_ROWS = 10;

interface JsonFieldProps {
  label: string;
  help: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  defects: readonly FieldDefect[];
  isReadOnly: boolean;
}

/** A text that should be JSON, with numbered lines and what is wrong with it underneath. */
export function JsonField({
  label,
  help,
  placeholder,
  value,
  onChange,
  defects,
  isReadOnly,
}: JsonFieldProps) {
  const id = useId();
  const lines = value.split("\n").length;
  const rows = Math.max(lines, MIN_ROWS);
  const badLines = new Set(defects.map(({ place }) => place?.line));
  const pretty = isReadOnly ? null : prettyJson(value);
  const isBad = defects.length > 0;
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        {pretty !== null && pretty !== value && (
          <Button size="compact-xs" variant="default" onClick={() => onChange(pretty)}>
            Format {label.toLowerCase()}
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className={classes.help}>
        {help}
      </p>
      <div className={classes.editor} data-invalid={isBad || undefined}>
        <div className={classes.gutter} aria-hidden="true">
          {Array.from({ length: rows }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <span key={index} data-bad={badLines.has(index + 1) || undefined}>
              {index < lines ? index + 1 : ""}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          className={classes.text}
          rows={rows}
          value={value}
          placeholder={isReadOnly ? "None" : placeholder}
          readOnly={isReadOnly}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={isBad}
          aria-describedby={`${id}-help ${id}-defects`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <ul id={`${id}-defects`} className={classes.defects}>
        {defects.map(({ message, place }) => (
          <li key={`${place?.line}:${place?.column}:${message}`}>
            {place && `Line ${place.line}, column ${place.column}: `}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
