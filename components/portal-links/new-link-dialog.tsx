"use client";

import { Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { uuidv7 } from "uuidv7";
import { type FieldErrors, serverErrors } from "#client/endpoint-form.ts";
import {
  EMPTY_LINK,
  LIFETIMES,
  type LinkForm,
  makeLink,
  newLinkOf,
  portalLinksQuery,
} from "#client/portal-links.ts";
import type { NewLink } from "#contracts/portal-links.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { AccessChoice } from "./access-choice.tsx";
import { LinkOnce } from "./link-once.tsx";
import { ThemeFields } from "./theme-fields.tsx";

/** Makes a link to the portal, and shows it this once. */
export function NewLinkDialog({ onClose }: { onClose: () => void }) {
  const { tenantId } = useWorkspace();
  const client = useQueryClient();
  const announce = useAnnounce();
  const making = useMutation({
    mutationFn: (body: NewLink) => makeLink(tenantId, body, uuidv7()),
    // What is shown once is not kept for longer than it is shown.
    gcTime: 0,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: portalLinksQuery(tenantId).queryKey });
      announce("The link is made. It is shown this once.");
    },
  });
  return (
    <Modal opened onClose={onClose} title="New portal link" size="xl" closeOnClickOutside={!making.data}>
      {making.data ? (
        <LinkOnce made={making.data} onClose={onClose} />
      ) : (
        <Form
          error={making.error}
          isBusy={making.isPending}
          onSubmit={(body) => making.mutate(body)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  error: unknown;
  isBusy: boolean;
  onSubmit: (body: NewLink) => void;
  onClose: () => void;
}

/** Whatever is wrong is said beside its field, and what was typed stays. */
function Form({ error, isBusy, onSubmit, onClose }: FormProps) {
  const [form, setForm] = useState(EMPTY_LINK);
  const [isChecked, check] = useState(false);
  const read = newLinkOf(form);
  const refused = error instanceof ApiProblem ? (error.problem?.errors ?? []) : [];
  const faults: FieldErrors = {
    ...serverErrors(refused),
    ...(isChecked && "errors" in read ? read.errors : null),
  };
  const change = (some: Partial<LinkForm>) => setForm((before) => ({ ...before, ...some }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(true);
    if ("value" in read && !isBusy) onSubmit(read.value);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label="Who it is for"
          description="For the list of links and the audit log; the portal does not show it."
          autoComplete="off"
          value={form.name}
          error={faults.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Works"
          description="It can be revoked at any time before."
          data={[...LIFETIMES]}
          value={form.lifetime}
          error={faults.expires_in_seconds}
          onChange={(event) => change({ lifetime: event.currentTarget.value })}
        />
        <AccessChoice picked={form.access} fault={faults.access} onChange={(access) => change({ access })} />
        <ThemeFields form={form} faults={faults} onChange={change} />
        <Textarea
          label="Pages that may show it in a frame"
          description="Origins such as https://app.example.com, one a line. None: it opens in a tab of its own."
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          value={form.ancestors}
          error={faults.frame_ancestors}
          onChange={(event) => change({ ancestors: event.currentTarget.value })}
        />
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
