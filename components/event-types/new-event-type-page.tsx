"use client";

import { Button, Stack } from "@mantine/core";
import { useRouter } from "next/navigation";
import { eventTypeRefusal } from "#client/refusals.ts";
import { useEventTypeEditor } from "#client/use-event-type-editor.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { ConflictNote } from "./conflict-note.tsx";
import { EventTypeForm } from "./event-type-form.tsx";

/** The page on which an event type is made. */
export function NewEventTypePage() {
  const { refuse } = useWorkspace();
  const refusal = eventTypeRefusal(undefined, refuse);
  return (
    <Stack gap="md" maw={1480}>
      <BackLink path="/event-types">Event types</BackLink>
      {refusal === null ? (
        <NewEventType />
      ) : (
        <EmptyNote title="New event types are not yours to make" level={1}>
          {refusal}
        </EmptyNote>
      )}
    </Stack>
  );
}

function NewEventType() {
  const { tenantId, href } = useWorkspace();
  const router = useRouter();
  const announce = useAnnounce();
  const editor = useEventTypeEditor(tenantId, {
    opened: undefined,
    mayWrite: true,
    onSaved: (name) => {
      announce(`The event type ${name} was made`);
      router.push(href(`/event-types/${name}`));
    },
  });
  return (
    <>
      <PageHeader title="New event type">
        What is published of it from then on is held to its schema; what was published before stays.
      </PageHeader>
      <EventTypeForm
        draft={editor.draft}
        onChange={editor.change}
        isDirty={editor.isDirty}
        isNew
        isReadOnly={false}
        check={editor.check}
        refused={editor.refused}
        onSubmit={editor.save}
      >
        {editor.conflict && (
          <ConflictNote
            now={editor.conflict}
            isNew
            onTakeTheirs={editor.take}
            onOverwrite={editor.overwrite}
          />
        )}
        {editor.error && <ProblemAlert error={editor.error} />}
        <Button type="submit" size="sm" loading={editor.isSaving}>
          Create event type
        </Button>
      </EventTypeForm>
    </>
  );
}
