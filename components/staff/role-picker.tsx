"use client";

import { Radio, Stack } from "@mantine/core";
import { ROLES, type Role } from "#contracts/scopes.ts";

const HELP: Record<Role, string> = {
  viewer: "Looks at deliveries, endpoints and events; changes nothing.",
  support: "Viewer, and replays, dismisses and sends test events.",
  operator: "Support, and changes endpoints and rotates secrets.",
  admin: "Operator, and manages tenants, keys, staff and settings.",
};

interface RolePickerProps {
  value: Role;
  onChange: (role: Role) => void;
  /** Why it cannot be changed; `null` when it can. */
  refusal?: string | null;
}

/** The four roles, each with what it may do. */
export function RolePicker({ value, onChange, refusal = null }: RolePickerProps) {
  return (
    <Radio.Group label="Role" description={refusal} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="xs" mt="xs">
        {ROLES.map((role) => (
          <Radio
            key={role}
            size="sm"
            value={role}
            label={role}
            description={HELP[role]}
            disabled={refusal !== null && role !== value}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
