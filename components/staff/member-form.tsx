"use client";

import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldProblem, isToldByFields } from "#client/field-problem.ts";
import { changeMember } from "#client/staff.ts";
import type { StaffMember } from "#contracts/staff.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { RolePicker } from "./role-picker.tsx";
import { useStaffChanged } from "./use-staff-changed.ts";

/** Name and role of somebody. */
export function MemberForm({ member, isSelf }: { member: StaffMember; isSelf: boolean }) {
  const announce = useAnnounce();
  const changed = useStaffChanged();
  const [form, setForm] = useState({ name: member.name, role: member.role });
  const saving = useMutation({
    mutationFn: () => changeMember(member.id, { name: form.name.trim(), role: form.role }),
    onSuccess: async (saved) => {
      announce(`Saved: ${saved.name} is ${saved.role}`);
      await changed(saved);
    },
  });
  const isSame = form.name.trim() === member.name && form.role === member.role;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSame) saving.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={form.name}
          error={fieldProblem(saving.error, "name")}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <RolePicker
          value={form.role}
          refusal={isSelf ? "Nobody changes their own role; another admin can." : null}
          onChange={(role) => setForm({ ...form, role })}
        />
        {saving.error && !isToldByFields(saving.error, ["name"]) && <ProblemAlert error={saving.error} />}
        <Button
          type="submit"
          size="sm"
          loading={saving.isPending}
          disabled={isSame}
          style={{ alignSelf: "flex-start" }}
        >
          Save
        </Button>
      </Stack>
    </form>
  );
}
