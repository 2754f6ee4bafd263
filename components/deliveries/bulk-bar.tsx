"use client";

import { Badge, Button, Group } from "@mantine/core";
import { useId } from "react";
import type { BulkAction } from "#client/bulk.ts";
import { counted } from "#client/format.ts";
import type { Selection } from "#client/use-selection.ts";
import { withKey } from "../hotkeys/keys.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./bulk-bar.module.css";

const ACTIONS: readonly { action: BulkAction; label: string; title: string }[] = [
  { action: "replay", label: "Replay", title: withKey("Send them again", "replayRow") },
  { action: "dismiss", label: "Dismiss", title: "Close failed ones as seen to" },
  { action: "cancel", label: "Cancel", title: "Close pending ones without a further attempt" },
];

interface BulkBarProps {
  selection: Selection;
  /** How many rows are on screen, and whether there are more. */
  shown: number;
  hasMore: boolean;
  onAct: (action: BulkAction) => void;
}

/** What can be done with the selected rows. The list stands still meanwhile, and the bar says so. */
export function BulkBar({ selection, shown, hasMore, onAct }: BulkBarProps) {
  const { refuse } = useWorkspace();
  const why = useId();
  const { ids, isAll } = selection;
  const refusal = refuse("deliveries:replay", "change deliveries");
  if (ids.size === 0) return null;
  return (
    <section className={classes.bar} aria-label="Selected deliveries">
      <Group gap="xs">
        <strong>
          {isAll ? "All that match are selected" : `${counted(ids.size, "delivery", "deliveries")} selected`}
        </strong>
        {!isAll && ids.size >= shown && hasMore && (
          <Button size="compact-xs" variant="subtle" onClick={selection.selectAll}>
            Select all that match
          </Button>
        )}
        <Badge variant="default" radius="sm" tt="none" className={classes.badge}>
          Updates paused
        </Badge>
      </Group>
      <Group gap="xs">
        {ACTIONS.map(({ action, label, title }) => (
          <Button
            key={action}
            size="xs"
            variant={action === "replay" ? "filled" : "default"}
            title={title}
            data-disabled={refusal !== null || undefined}
            aria-disabled={refusal !== null}
            aria-describedby={refusal ? why : undefined}
            onClick={(event) => (refusal === null ? onAct(action) : event.preventDefault())}
          >
            {label}
          </Button>
        ))}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          title={withKey("Clear the selection", "clear")}
          onClick={selection.clear}
        >
          Clear selection
        </Button>
      </Group>
      {refusal && (
        <p id={why} className={classes.refusal}>
          {refusal}
        </p>
      )}
    </section>
  );
}
