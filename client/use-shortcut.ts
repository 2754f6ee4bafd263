import { useEffect, useRef } from "react";
import { HOTKEYS, type HotkeyName, isPressed } from "./hotkeys.ts";

const NOT_TYPED_INTO = new Set(["checkbox", "radio", "button", "submit", "reset"]);

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target.isContentEditable || target.matches("textarea, select");
}

const DIALOG = '[role="dialog"][aria-modal="true"]';
const LIST = '[role="listbox"], [role="menu"]';

/** What lay over the page when the key went down. */
const over = { dialog: false, list: false };

// Before any other listener: a dialog that closes on Escape is gone by the time that the page hears of the same key.
if (typeof window !== "undefined")
  window.addEventListener(
    "keydown",
    () => {
      over.dialog = document.querySelector(DIALOG) !== null;
      over.list = document.querySelector(LIST) !== null;
    },
    true,
  );

/** Dialogs have the keyboard for themselves; Escape closes lists and menus before it does anything else. */
const isTaken = (keys: string): boolean => over.dialog || (keys === "Escape" && over.list);

/** Runs `run` when the hotkey is pressed anywhere on the page but where one types. */
export function useShortcut(name: HotkeyName, run: () => void, isEnabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isEnabled) return;
    const { keys } = HOTKEYS[name];
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, keys) || event.isComposing || isTaken(keys)) return;
      if (!keys.startsWith("mod+") && isTypedInto(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    // While it goes down, so that what it closes is still there to be seen.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [name, isEnabled]);
}
