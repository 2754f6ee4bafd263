"use client";

import { Kbd } from "@mantine/core";
import { HOTKEYS, type HotkeyName, keyCaps } from "#client/hotkeys.ts";
import { useHydrated } from "#client/use-hydrated.ts";
import classes from "./keys.module.css";

/** The keys of a hotkey as they look on a keyboard. */
export function Keys({ of }: { of: HotkeyName }) {
  const isMac = useHydrated() && /mac|iphone|ipad/i.test(navigator.userAgent);
  return (
    <span className={classes.keys}>
      {keyCaps(HOTKEYS[of].keys, isMac).map((cap) => (
        <Kbd key={cap} size="xs">
          {cap}
        </Kbd>
      ))}
    </span>
  );
}

/** For the `title` of what a key does too: `Replay (R)`. */
export const withKey = (text: string, of: HotkeyName): string =>
  `${text} (${keyCaps(HOTKEYS[of].keys, false).join("+")})`;
