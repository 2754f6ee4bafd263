import { useCallback, useMemo, useRef, useState } from "react";
import type { Delivery } from "#contracts/deliveries.ts";

const NONE: ReadonlySet<string> = new Set();

export interface Selection {
  ids: ReadonlySet<string>;
  /** Everything that matches, on screen or not. */
  isAll: boolean;
  /** `isRange`: all rows from the one toggled last to this one. */
  toggle: (id: string, isRange: boolean) => void;
  /** All rows on screen, or none when all are. */
  togglePage: () => void;
  selectAll: () => void;
  clear: () => void;
}

/** Which rows of a list are selected. What `scope` names, such as the filters, has a selection of its own. */
export function useSelection(rows: readonly Delivery[], scope: string): Selection {
  const [state, setState] = useState({ scope, ids: NONE, isAll: false });
  const last = useRef<string | null>(null);
  const shown = useRef(rows);
  shown.current = rows;
  const current = state.scope === scope ? state : { scope, ids: NONE, isAll: false };

  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const from = last.current;
      last.current = id;
      setState((old) => {
        const before = old.scope === scope ? old.ids : NONE;
        const ids = isRange && from ? rangeOf(shown.current, from, id) : [id];
        return { scope, ids: toggled(before, id, ids), isAll: false };
      });
    },
    [scope],
  );
  const { ids, isAll } = current;
  return useMemo(
    () => ({
      ...{ ids, isAll, toggle },
      togglePage: () => {
        const every = rows.every((row) => ids.has(row.id));
        setState({ scope, ids: every ? NONE : new Set(rows.map((row) => row.id)), isAll: false });
      },
      selectAll: () => setState({ scope, ids: new Set(rows.map((row) => row.id)), isAll: true }),
      clear: () => setState({ scope, ids: NONE, isAll: false }),
    }),
    [ids, isAll, toggle, rows, scope],
  );
}

/** All of `ids` become what `id` becomes. */
function toggled(before: ReadonlySet<string>, id: string, ids: readonly string[]): ReadonlySet<string> {
  const after = new Set(before);
  for (const one of ids) {
    if (before.has(id)) after.delete(one);
    else after.add(one);
  }
  return after;
}

function rangeOf(rows: readonly Delivery[], from: string, to: string): string[] {
  const at = [from, to].map((id) => rows.findIndex((row) => row.id === id)).sort((a, b) => a - b);
  const [first = -1, last = -1] = at;
  return first === -1 ? [to] : rows.slice(first, last + 1).map((row) => row.id);
}
