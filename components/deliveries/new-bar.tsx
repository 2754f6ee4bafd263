"use client";

import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useEffect } from "react";
import { useShortcut } from "#client/use-shortcut.ts";
import { useAnnounce } from "../announcer.tsx";
import { withKey } from "../hotkeys/keys.tsx";
import classes from "./new-bar.module.css";

interface NewBarProps {
  count: number;
  /** Whether there are still more than `count`. */
  isMore: boolean;
  onShow: () => void;
  nouns?: readonly [one: string, several: string];
}

const DELIVERIES = ["delivery", "deliveries"] as const;

/** Floats above the list, so that what is new moves no row; pressing it shows them. */
export function NewBar({ count, isMore, onShow, nouns = DELIVERIES }: NewBarProps) {
  const [one, several] = nouns;
  const announce = useAnnounce();
  const hasNew = count > 0;
  const text = `${count}${isMore ? "+" : ""} new ${count === 1 && !isMore ? one : several}`;
  const show = () => {
    if (!hasNew) return;
    onShow();
    window.scrollTo({ top: 0 });
    announce(`The newest ${several} are shown`);
  };
  useShortcut("showNew", show, hasNew);
  // Said once when the first arrives: with each further one it would never be quiet.
  useEffect(() => {
    if (hasNew) announce(`There are new ${several}. Press n to show them.`);
  }, [hasNew, announce, several]);
  return (
    <div className={classes.bar}>
      {hasNew && (
        <Button
          size="xs"
          h={26}
          radius="xl"
          leftSection={<IconArrowUp size={14} />}
          className={classes.button}
          title={withKey("Show them", "showNew")}
          onClick={show}
        >
          {text}
        </Button>
      )}
    </div>
  );
}
