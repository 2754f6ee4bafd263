/** One key, or keys, with what it does and where. `mod` is Command on a Mac and Control elsewhere. */
export interface Hotkey {
  /** `j`, `?`, `mod+k`, as the event's `key` has it. */
  keys: string;
  does: string;
  group: "Everywhere" | "Lists" | "Deliveries" | "One delivery";
}

/** Every key of the console: what is listened for, the sheet under `?` and the tooltips are made from this. */
export const HOTKEYS = {
  palette: { keys: "mod+k", does: "Go anywhere, do anything: the command palette", group: "Everywhere" },
  help: { keys: "?", does: "Show the keys", group: "Everywhere" },
  next: { keys: "j", does: "Next row", group: "Lists" },
  previous: { keys: "k", does: "Row before", group: "Lists" },
  open: { keys: "Enter", does: "Open the row", group: "Lists" },
  search: { keys: "/", does: "Search", group: "Lists" },
  filters: { keys: "f", does: "Go to the filters", group: "Deliveries" },
  select: { keys: "x", does: "Select the row", group: "Deliveries" },
  replayRow: { keys: "r", does: "Replay the selected rows, or the row in focus", group: "Deliveries" },
  peek: { keys: "o", does: "Open the row beside the list", group: "Deliveries" },
  showNew: { keys: "n", does: "Show new deliveries", group: "Deliveries" },
  clear: { keys: "Escape", does: "Clear the selection", group: "Deliveries" },
  replay: { keys: "r", does: "Replay it", group: "One delivery" },
  older: { keys: "j", does: "Next delivery of the list", group: "One delivery" },
  newer: { keys: "k", does: "Delivery before it in the list", group: "One delivery" },
  back: { keys: "Escape", does: "Back to the list", group: "One delivery" },
} as const satisfies Record<string, Hotkey>;
export type HotkeyName = keyof typeof HOTKEYS;

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Whether a press is that of the hotkey. Shift is part of `key`: `?` is `?` on every keyboard. */
export function isPressed(pressed: Pressed, keys: string): boolean {
  const isMod = keys.startsWith("mod+");
  const key = isMod ? keys.slice("mod+".length) : keys;
  return (
    pressed.key.toLowerCase() === key.toLowerCase() &&
    (pressed.ctrlKey || pressed.metaKey) === isMod &&
    !pressed.altKey
  );
}

const NAMES: Record<string, string> = { Escape: "Esc", Enter: "Enter" };

/** The keys as they stand on a keyboard, one by one: `["Ctrl", "K"]`. */
export function keyCaps(keys: string, isMac: boolean): string[] {
  return keys
    .split("+")
    .map((key) => (key === "mod" ? (isMac ? "⌘" : "Ctrl") : (NAMES[key] ?? key.toUpperCase())));
}
