import { useEffect, useRef } from "react";
import { HOTKEYS, type HotkeyName, isPressed } from "./hotkeys.ts";

const NOT_TYPED_INTO = new Set(["checkbox", "radio", "button", "submit", "reset"]);

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return target.isContentEditable || target.matches("textarea, select");
}

/** Dialogs have the keyboard for themselves; Escape closes lists and menus before it does anything else. */
function isTaken(keys: string): boolean {
  const over = '[role="dialog"][aria-modal="true"]';
  const wanted = keys === "Escape" ? `${over}, [role="listbox"], [role="menu"]` : over;
  // Closed lists stay in the document, unseen.
  return [...document.querySelectorAll(wanted)].some((element) => element.checkVisibility());
}

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
