import { useEffect, useRef } from "react";
import { HOTKEYS, type HotkeyName, isPressed } from "./hotkeys.ts";

const NOT_TYPED_INTO = new Set(["checkbox", "radio", "button", "submit", "reset"]);

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target.isContentEditable || target.matches("textarea, select");
}

/** What lay over the page when the last key went down. */
const over = { dialog: false, list: false };

/** Whether something is there to be seen: closed lists stay in the document. */
const isSeen = (wanted: string) =>
  [...document.querySelectorAll(wanted)].some((element) => element.checkVisibility());

// Before any other listener: a dialog that closes on Escape is gone by the time that the page hears of the same key.
if (typeof window !== "undefined")
  window.addEventListener(
    "keydown",
    () => {
      over.dialog = isSeen('[role="dialog"][aria-modal="true"]');
      over.list = isSeen('[role="listbox"], [role="menu"]');
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
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [name, isEnabled]);
}
