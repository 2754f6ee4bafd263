"use client";

import { ActionIcon } from "@mantine/core";
import { IconCommand } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useShortcut } from "#client/use-shortcut.ts";
import { withKey } from "./keys.tsx";
import type { Places } from "./palette-commands.ts";

// Loaded when they are first asked for.
const Palette = dynamic(() => import("./palette.tsx").then((module) => module.Palette));
const KeySheet = dynamic(() => import("./key-sheet.tsx").then((module) => module.KeySheet));

/** The command palette and the sheet of keys, for every page, with a button for those who use no keys. */
export function Hotkeys(places: Places) {
  const [shown, show] = useState<"palette" | "keys" | null>(null);
  useShortcut("palette", () => show("palette"));
  useShortcut("help", () => show("keys"));
  const close = () => show(null);
  return (
    <>
      <ActionIcon
        size={30}
        variant="default"
        aria-label="Command palette"
        title={withKey("Command palette", "palette")}
        onClick={() => show("palette")}
      >
        <IconCommand size={16} stroke={1.7} />
      </ActionIcon>
      {shown === "palette" && <Palette places={places} onClose={close} onShowKeys={() => show("keys")} />}
      {shown === "keys" && <KeySheet onClose={close} />}
    </>
  );
}
