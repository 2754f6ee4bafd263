import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Defects,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  hasDefects,
  nameDefect,
  refusedDefects,
} from "./event-type-draft.ts";
import { eventTypeQuery, type ReadEventType, saveEventType } from "./event-types.ts";
import { useEventTypeCheck } from "./use-event-type-check.ts";

/** A draft of an event type with its checks and its way to the server. `opened` is absent for a new type. */
export function useEventTypeEditor(
  tenantId: string,
  {
    opened,
    mayWrite,
    onSaved,
  }: {
    opened: ReadEventType | undefined;
    mayWrite: boolean;
    onSaved: (name: string) => void;
  },
) {
  const client = useQueryClient();
  const [baseline, setBaseline] = useState(opened ?? null);
  const [draft, setDraft] = useState<Draft>(() => (opened ? draftOf(opened.text) : EMPTY_DRAFT));
  const [refused, setRefused] = useState<Defects>({});
  const [conflict, setConflict] = useState<ReadEventType | null | undefined>(undefined);
  const check = useEventTypeCheck(tenantId, draft, mayWrite);

  const take = (read: ReadEventType) => {
    setBaseline(read);
    setDraft(draftOf(read.text));
    setConflict(undefined);
    setRefused({});
  };
  const saving = useMutation({
    mutationFn: (overwrite: boolean) =>
      saveEventType(tenantId, draft, overwrite ? undefined : (baseline?.type.version ?? "nothing")),
    onSuccess: async (outcome) => {
      if (!("saved" in outcome)) return setConflict(outcome.now);
      take(outcome.saved);
      client.setQueryData(eventTypeQuery(tenantId, draft.name).queryKey, outcome.saved);
      onSaved(draft.name);
      await client.invalidateQueries({ queryKey: ["event-types", "list"] });
      await client.invalidateQueries({ queryKey: ["event-types", "all"] });
    },
    onError: (error) => setRefused(refusedDefects(error, draft) ?? {}),
  });
  const save = (overwrite: boolean) => {
    const name = nameDefect(draft.name);
    const local: Defects = name === null ? check.defects : { name: [{ message: name, place: null }] };
    setRefused(local);
    if (!hasDefects(local)) saving.mutate(overwrite);
  };

  return {
    draft,
    change: (some: Partial<Draft>) => {
      setDraft((now) => ({ ...now, ...some }));
      setRefused({});
    },
    check,
    refused,
    isDirty:
      JSON.stringify(draft) !== JSON.stringify(baseline === null ? EMPTY_DRAFT : draftOf(baseline.text)),
    save: () => save(false),
    overwrite: () => save(true),
    isSaving: saving.isPending,
    /** What saving met that belongs to no field. */
    error: saving.error && refusedDefects(saving.error, draft) === null ? saving.error : null,
    /** What somebody else made of it since it was opened: `null` deleted, `undefined` nothing. */
    conflict,
    take,
  };
}
