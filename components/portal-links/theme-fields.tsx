"use client";

import { CloseButton, FileInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldErrors } from "#client/endpoint-form.ts";
import { type LinkForm, logoFault } from "#client/portal-links.ts";
import classes from "./portal-links.module.css";
import { ThemePreview } from "./theme-preview.tsx";

const NO_ACCENT = "#3557c9";

interface ThemeFieldsProps {
  form: LinkForm;
  faults: FieldErrors;
  onChange: (some: Partial<LinkForm>) => void;
}

/** How the portal looks: its name, colour and logo, with what becomes of them. */
export function ThemeFields({ form, faults, onChange }: ThemeFieldsProps) {
  const isColor = /^#[0-9a-f]{6}$/i.test(form.accent);
  return (
    <fieldset className={classes.choice}>
      <legend>How it looks</legend>
      <div className={classes.theme}>
        <div className={classes.fields}>
          <TextInput
            label="Name"
            description="What the page calls itself; else the tenant’s name."
            maxLength={60}
            autoComplete="off"
            value={form.themeName}
            error={faults["theme/name"]}
            onChange={(event) => onChange({ themeName: event.currentTarget.value })}
          />
          <TextInput
            label="Colour"
            description="As #rrggbb; else the console’s blue."
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            value={form.accent}
            error={faults["theme/accent_color"]}
            onChange={(event) => onChange({ accent: event.currentTarget.value })}
            rightSection={
              <input
                type="color"
                aria-label="Pick the colour"
                className={classes.picker}
                value={isColor ? form.accent : NO_ACCENT}
                onChange={(event) => onChange({ accent: event.currentTarget.value })}
              />
            }
          />
          <LogoField
            logo={form.logo}
            fault={faults["theme/logo_url"]}
            onChange={(logo) => onChange({ logo })}
          />
        </div>
        <ThemePreview name={form.themeName} accent={isColor ? form.accent : null} logo={form.logo} />
      </div>
    </fieldset>
  );
}

interface LogoFieldProps {
  logo: string;
  fault: string | undefined;
  onChange: (logo: string) => void;
}

function LogoField({ logo, fault, onChange }: LogoFieldProps) {
  const [file, setFile] = useState<File | null>(null);
  const refusal = file && logoFault(file);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (!chosen || logoFault(chosen)) return onChange("");
    const reader = new FileReader();
    reader.addEventListener("load", () => onChange(String(reader.result)));
    reader.readAsDataURL(chosen);
  };
  return (
    <FileInput
      label="Logo"
      description="PNG, JPEG or WebP of at most 64 KiB; it travels with the link and is loaded from nowhere else."
      placeholder="Choose a file"
      accept="image/png,image/jpeg,image/webp"
      value={file}
      error={refusal ?? fault}
      onChange={choose}
      rightSection={
        logo !== "" && <CloseButton size="sm" aria-label="No logo" onClick={() => choose(null)} />
      }
    />
  );
}
