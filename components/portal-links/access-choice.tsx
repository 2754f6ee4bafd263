"use client";

import { Checkbox, Text } from "@mantine/core";
import { ACCESS_WORDS } from "#client/portal.ts";
import { PORTAL_ACCESS, type PortalAccess } from "#contracts/portal-links.ts";
import classes from "./portal-links.module.css";

interface AccessChoiceProps {
  picked: readonly PortalAccess[];
  fault: string | undefined;
  onChange: (access: PortalAccess[]) => void;
}

/** What a link allows beyond looking, each with what that means. */
export function AccessChoice({ picked, fault, onChange }: AccessChoiceProps) {
  const toggle = (access: PortalAccess) =>
    onChange(picked.includes(access) ? picked.filter((each) => each !== access) : [...picked, access]);
  return (
    <fieldset className={classes.choice}>
      <legend>What it allows</legend>
      <Checkbox
        label="Look"
        description="endpoints, deliveries, attempts, events and event types; never a secret"
        checked
        disabled
        readOnly
      />
      {PORTAL_ACCESS.map((access) => (
        <Checkbox
          key={access}
          label={ACCESS_WORDS[access].label}
          description={ACCESS_WORDS[access].allows}
          checked={picked.includes(access)}
          onChange={() => toggle(access)}
        />
      ))}
      {fault && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </fieldset>
  );
}
