import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import {
  type Defects,
  type Draft,
  hasDefects,
  nameDefect,
  refusedDefects,
  syntaxDefects,
} from "./event-type-draft.ts";
import { checkEventType } from "./event-types.ts";

const PAUSE_MS = 400;
/** Stands in while the name is not written yet: schema and example do not depend on it. */
const ANY_NAME = "draft";

/** What is known of a draft while it is written. */
export interface DraftCheck {
  state: "none" | "checking" | "good" | "bad" | "unknown";
  defects: Defects;
}

/** Checks a draft as it is written: its syntax at once, the rest by the server, after a pause of the writer. */
export function useEventTypeCheck(tenantId: string, draft: Draft, enabled: boolean): DraftCheck {
  const syntax = syntaxDefects(draft);
  const [settled] = useDebouncedValue(draft, PAUSE_MS);
  const asked = { ...settled, name: nameDefect(settled.name) === null ? settled.name : ANY_NAME };
  const isEmpty = draft.schema.trim() === "" && draft.example.trim() === "";
  const isSettled = settled === draft;
  const check = useQuery({
    queryKey: ["event-types", "check", tenantId, asked],
    queryFn: ({ signal }) => checkEventType(tenantId, asked, signal),
    enabled: enabled && !isEmpty && isSettled && !hasDefects(syntax),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (hasDefects(syntax)) return { state: "bad", defects: syntax };
  if (!enabled || isEmpty) return { state: "none", defects: {} };
  if (!isSettled || check.isPending) return { state: "checking", defects: {} };
  if (!check.error) return { state: "good", defects: {} };
  const { name: _name, ...defects } = refusedDefects(check.error, asked) ?? {};
  return { state: hasDefects(defects) ? "bad" : "unknown", defects };
}
