"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { BulkAction } from "#client/bulk.ts";
import type { Filters } from "#client/delivery-filters.ts";
import { usePageActions } from "#client/page-actions.ts";
import type { BulkTarget } from "#client/use-bulk.ts";
import type { Selection } from "#client/use-selection.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { focusedRow, ROW_LINK } from "../use-row-keys.ts";
import { useWorkspace } from "../workspace-context.tsx";
import { BulkBar } from "./bulk-bar.tsx";

// Most lists are only looked at.
const BulkDialog = dynamic(() => import("./bulk-dialog.tsx").then((module) => module.BulkDialog));

/** The delivery whose row the focus is within. */
const focusedId = () => focusedRow()?.getAttribute(ROW_LINK) ?? null;

interface ListActionsProps {
  rows: readonly Delivery[];
  hasMore: boolean;
  selection: Selection;
  filters: Filters;
  endpoints: readonly Endpoint[];
}

/** What can be done with the rows of the list, by the bar over them and by keys. */
export function ListActions({ rows, hasMore, selection, filters, endpoints }: ListActionsProps) {
  const { holds } = useWorkspace();
  const [target, setTarget] = useState<BulkTarget | null>(null);
  const { ids, isAll } = selection;
  const mayAct = holds("deliveries:replay");
  const act = (action: BulkAction) =>
    setTarget(isAll ? { action, filters } : { action, rows: rows.filter((row) => ids.has(row.id)) });
  const replayFocused = () => {
    if (!mayAct) return;
    if (ids.size > 0) return act("replay");
    const id = focusedId();
    const row = rows.find((each) => each.id === id);
    if (row) setTarget({ action: "replay", rows: [row] });
  };
  const toggleFocused = () => {
    const id = focusedId();
    if (id) selection.toggle(id, false);
  };
  useShortcut("select", toggleFocused);
  useShortcut("replayRow", replayFocused);
  useShortcut("clear", selection.clear, ids.size > 0);
  usePageActions([
    { label: "Select all on this page", run: selection.togglePage },
    { label: "Select all that match the filters", run: selection.selectAll },
    ...(mayAct
      ? [
          {
            label: "Replay all that match the filters",
            run: () => setTarget({ action: "replay", filters }),
          } as const,
        ]
      : []),
  ]);
  return (
    <>
      <BulkBar selection={selection} shown={rows.length} hasMore={hasMore} onAct={act} />
      {target && (
        <BulkDialog
          target={target}
          endpoints={endpoints}
          onClose={(isDone) => {
            setTarget(null);
            if (isDone) selection.clear();
          }}
        />
      )}
    </>
  );
}
