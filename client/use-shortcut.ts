import { createContext, useContext, useEffect, useRef } from "react";
import { HOTKEYS, type Hotkey, type HotkeyName, isPressed } from "./hotkeys.ts";

const NOT_TYPED_INTO = new Set(["checkbox", "radio", "button", "submit", "reset"]);

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target.isContentEditable || target.matches("textarea, select");
}

/**
 * The dialog that a part of the page is in, by the `data-layer` of its element; the page itself is none. The keys of a part
 * work while its dialog lies on top.
 */
export const ShortcutLayer = createContext<string | undefined>(undefined);

/** What lay over the page when the last key went down. */
const over: { dialog: HTMLElement | undefined; list: boolean } = { dialog: undefined, list: false };

/** What is there to be seen, the topmost last: closed lists stay in the document. */
const seen = (wanted: string) =>
  [...document.querySelectorAll<HTMLElement>(wanted)].filter((element) => element.checkVisibility());

// Before any other listener: a dialog that closes on Escape is gone by the time that the page hears of the same key.
if (typeof window !== "undefined")
  window.addEventListener(
    "keydown",
    () => {
      over.dialog = seen('[role="dialog"][aria-modal="true"]').at(-1);
      over.list = seen('[role="listbox"], [role="menu"]').length > 0;
    },
    true,
  );

/**
 * Dialogs have the keyboard for themselves, but for what works everywhere where they are a part of the page; Escape closes
 * lists and menus before it does anything else.
 */
function isTaken({ keys, group }: Hotkey, layer: string | undefined): boolean {
  const top = over.dialog?.dataset.layer;
  const isTop = over.dialog
    ? top !== undefined && (top === layer || group === "Everywhere")
    : layer === undefined;
  return !isTop || (keys === "Escape" && over.list);
}

/** Runs `run` when the hotkey is pressed anywhere on the page but where one types. */
export function useShortcut(name: HotkeyName, run: () => void, isEnabled = true): void {
  const layer = useContext(ShortcutLayer);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isEnabled) return;
    const hotkey = HOTKEYS[name];
    const { keys } = hotkey;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, keys) || event.isComposing || isTaken(hotkey, layer)) return;
      if (!keys.startsWith("mod+") && isTypedInto(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [name, isEnabled, layer]);
}
