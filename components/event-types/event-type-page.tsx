"use client";

import { Anchor, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useParams } from "next/navigation";
import { eventTypeQuery, type ReadEventType } from "#client/event-types.ts";
import { eventTypeRefusal } from "#client/refusals.ts";
import { useEventTypeEditor } from "#client/use-event-type-editor.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { StatusMark } from "../status.tsx";
import { ThingHead } from "../thing-head.tsx";
import { ThingMissing } from "../thing-missing.tsx";
import { Moment } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { ConflictNote } from "./conflict-note.tsx";
import { DeleteEventType } from "./delete-event-type.tsx";
import { EventTypeForm } from "./event-type-form.tsx";
import classes from "./event-type-list.module.css";

/** The page of one event type: what it says of itself, and for those who may, a way to change it. */
export function EventTypePage() {
  const { tenantId } = useWorkspace();
  const params = useParams<{ name: string }>();
  const name = decodeURIComponent(params.name);
  const { data, error, refetch } = useQuery(eventTypeQuery(tenantId, name));
  return (
    <Stack gap="md" maw={1480}>
      <BackLink path="/event-types">Event types</BackLink>
      {data ? (
        <OneEventType opened={data} />
      ) : (
        <ThingMissing
          error={error}
          noun="event type"
          hint="It may have been deleted, or be of another tenant. Events of any type can be published all the same."
          onRetry={() => void refetch()}
        />
      )}
    </Stack>
  );
}

function OneEventType({ opened }: { opened: ReadEventType }) {
  const { tenantId, isPortal, refuse } = useWorkspace();
  const announce = useAnnounce();
  const { type } = opened;
  const refusal = eventTypeRefusal(type, refuse);
  const editor = useEventTypeEditor(tenantId, {
    opened,
    mayWrite: refusal === null,
    onSaved: () => announce("The event type was saved"),
  });
  return (
    <>
      <ThingHead title={type.name} mark={<Marks type={type} />} line={<Changed type={type} />}>
        {!isPortal && <DeleteEventType type={type} refusal={refusal} />}
      </ThingHead>
      <EventTypeForm
        draft={editor.draft}
        onChange={editor.change}
        isDirty={editor.isDirty}
        isNew={false}
        isReadOnly={refusal !== null}
        check={editor.check}
        refused={editor.refused}
        onSubmit={() => refusal === null && editor.save()}
      >
        {editor.conflict !== undefined && (
          <ConflictNote
            now={editor.conflict}
            isNew={false}
            onTakeTheirs={editor.take}
            onOverwrite={editor.overwrite}
          />
        )}
        {editor.error && <ProblemAlert error={editor.error} />}
        {!isPortal && (
          <GuardedButton
            size="sm"
            loading={editor.isSaving}
            refusal={refusal ?? (editor.isDirty ? null : "There is nothing to save.")}
            saysWhy
            onClick={editor.save}
          >
            Save changes
          </GuardedButton>
        )}
      </EventTypeForm>
    </>
  );
}

function Marks({ type }: { type: ReadEventType["type"] }) {
  if (type.built_in) return <StatusMark label="Built in" tone="idle" />;
  return type.deprecated ? <StatusMark label="Deprecated" tone="wait" /> : null;
}

function Changed({ type }: { type: ReadEventType["type"] }) {
  const { href } = useWorkspace();
  return (
    <Group gap="0.25rem 1rem" fz="sm">
      <Anchor component={Link} href={href(`/events?type=${type.name}`)} fz="inherit">
        Its events
      </Anchor>
      <Anchor component={Link} href={href(`/deliveries?type=${type.name}`)} fz="inherit">
        Its deliveries
      </Anchor>
      {type.updated_at && (
        <span className={classes.aside}>
          Changed <Moment at={type.updated_at} />
        </span>
      )}
    </Group>
  );
}
