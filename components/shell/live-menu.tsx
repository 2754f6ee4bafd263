"use client";

import { Button, Menu, Text } from "@mantine/core";
import { LIVE_MODE_NAMES, LIVE_MODES, type LiveMode, useLiveMode } from "#client/live.ts";
import { useHydrated } from "#client/use-hydrated.ts";
import { useAnnounce } from "../announcer.tsx";
import classes from "./live-menu.module.css";

/** How often the page looks for changes; paused is really paused. */
export function LiveMenu() {
  const [mode, setMode] = useLiveMode();
  const announce = useAnnounce();
  const isHydrated = useHydrated();
  const shown = isHydrated ? mode : "live";
  const choose = (name: string) => {
    setMode(name as LiveMode);
    announce(`${LIVE_MODES[name as LiveMode].label}: ${LIVE_MODES[name as LiveMode].help}`);
  };
  return (
    <Menu width={230}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          leftSection={<span className={classes.dot} data-paused={shown === "paused" || undefined} />}
          aria-label={`Updates: ${LIVE_MODES[shown].label}`}
        >
          {LIVE_MODES[shown].label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Updates</Menu.Label>
        <Menu.RadioGroup value={shown} onChange={choose}>
          {LIVE_MODE_NAMES.map((name) => (
            <Menu.RadioItem key={name} value={name} closeMenuOnClick>
              {LIVE_MODES[name].label}
              <Text size="xs" c="dimmed">
                {LIVE_MODES[name].help}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
