"use client";

import { Anchor, Button, Drawer, Group } from "@mantine/core";
import { IconArrowDown, IconArrowsMaximize, IconArrowUp } from "@tabler/icons-react";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { ShortcutLayer, useShortcut } from "#client/use-shortcut.ts";
import type { Delivery } from "#contracts/deliveries.ts";
import { useAnnounce } from "../announcer.tsx";
import { DeliveryView } from "../delivery/delivery-view.tsx";
import { withKey } from "../hotkeys/keys.tsx";
import { STATUS } from "../status.tsx";
import { rowOf } from "../use-row-keys.ts";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-drawer.module.css";

const LAYER = "delivery";

interface DeliveryDrawerProps {
  id: string;
  /** The list that it is of, as far as it was read. */
  rows: readonly Delivery[];
  onExchange: (id: string) => void;
  onClose: () => void;
}

/** One delivery beside the list that it was opened from. Closing leads the focus to its row. */
export function DeliveryDrawer({ id, rows, onExchange, onClose }: DeliveryDrawerProps) {
  useRowFocus(id);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size="min(100%, 46rem)"
      padding="lg"
      returnFocus={false}
      // It would close with whatever lies over it.
      closeOnEscape={false}
    >
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content aria-label="Delivery" data-layer={LAYER}>
        <ShortcutLayer value={LAYER}>
          <Drawer.Header className={classes.head}>
            <Neighbours id={id} rows={rows} onExchange={onExchange} onClose={onClose} />
            <Drawer.CloseButton aria-label="Close" />
          </Drawer.Header>
          <Drawer.Body className={classes.body} data-autofocus tabIndex={-1}>
            <DeliveryView key={id} id={id} level={2} />
          </Drawer.Body>
        </ShortcutLayer>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** The way on to the deliveries beside it in the list, to its own page, and back. */
function Neighbours({ id, rows, onExchange, onClose }: DeliveryDrawerProps) {
  const { href } = useWorkspace();
  const announce = useAnnounce();
  const at = rows.findIndex((row) => row.id === id);
  const newer = rows[at - 1];
  const older = at === -1 ? undefined : rows[at + 1];
  const show = (row: Delivery | undefined) => {
    if (!row) return;
    onExchange(row.id);
    announce(`${row.event_type}, ${STATUS[row.status].label}`);
  };
  useShortcut("newer", () => show(newer));
  useShortcut("older", () => show(older));
  useShortcut("back", onClose);
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowUp size={14} />}
        title={withKey("The one before it in the list", "newer")}
        disabled={!newer}
        onClick={() => show(newer)}
      >
        Newer
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowDown size={14} />}
        title={withKey("The next one in the list", "older")}
        disabled={!older}
        onClick={() => show(older)}
      >
        Older
      </Button>
      <Anchor component={Link} href={href(`/deliveries/${id}`)} size="sm" className={classes.page}>
        <IconArrowsMaximize size={14} aria-hidden="true" />
        Open as page
      </Anchor>
    </Group>
  );
}

/** Keeps the row of what is shown in sight, and gives it the focus at the end. */
function useRowFocus(id: string): void {
  const latest = useRef(id);
  useEffect(() => {
    latest.current = id;
    rowOf(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
  useEffect(() => () => rowOf(latest.current)?.focus(), []);
}
