"use client";

import { Anchor } from "@mantine/core";
import { IconArrowDown, IconArrowLeft, IconArrowUp } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { listAddress } from "#client/list-address.ts";
import { useNeighbours } from "#client/use-neighbours.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { withKey } from "../hotkeys/keys.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./delivery-page.module.css";

/** The way back to the list, and on to the deliveries beside this one in it. */
export function DeliveryNav({ id }: { id: string }) {
  const { tenantId, href } = useWorkspace();
  const router = useRouter();
  const { newer, older } = useNeighbours(tenantId, id);
  const list = listAddress(tenantId, href("/deliveries"));
  const pathOf = (other: { id: string }) => href(`/deliveries/${other.id}`);
  useShortcut("older", () => older && router.push(pathOf(older)), older !== null);
  useShortcut("newer", () => newer && router.push(pathOf(newer)), newer !== null);
  useShortcut("back", () => router.push(list));
  return (
    <div className={classes.nav}>
      <Anchor
        component={Link}
        href={list}
        size="sm"
        c="dimmed"
        className={classes.back}
        title={withKey("Back", "back")}
      >
        <IconArrowLeft size={15} aria-hidden="true" />
        Deliveries
      </Anchor>
      {newer && (
        <Anchor
          component={Link}
          href={pathOf(newer)}
          size="sm"
          c="dimmed"
          className={classes.back}
          title={withKey("The one before it in the list", "newer")}
        >
          <IconArrowUp size={15} aria-hidden="true" />
          Newer
        </Anchor>
      )}
      {older && (
        <Anchor
          component={Link}
          href={pathOf(older)}
          size="sm"
          c="dimmed"
          className={classes.back}
          title={withKey("The next one in the list", "older")}
        >
          <IconArrowDown size={15} aria-hidden="true" />
          Older
        </Anchor>
      )}
    </div>
  );
}
