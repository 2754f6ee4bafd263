import { useEffect, useRef, useSyncExternalStore } from "react";
import type { HotkeyName } from "./hotkeys.ts";

/** Something that can be done on the page that is shown; the command palette offers it. */
export interface PageAction {
  label: string;
  hotkey?: HotkeyName;
  run: () => void;
}

const sources = new Set<{ current: readonly PageAction[] }>();
const watchers = new Set<() => void>();
let version = 0;

function tell(): void {
  version++;
  for (const onChange of watchers) onChange();
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

/** Offers actions for as long as the component is there. */
export function usePageActions(actions: readonly PageAction[]): void {
  const source = useRef(actions);
  useEffect(() => {
    source.current = actions;
  });
  useEffect(() => {
    sources.add(source);
    tell();
    return () => {
      sources.delete(source);
      tell();
    };
  }, []);
}

/** What the page offers at this moment. */
export function useOfferedActions(): readonly PageAction[] {
  useSyncExternalStore(
    watch,
    () => version,
    () => 0,
  );
  return [...sources].flatMap(({ current }) => current);
}
