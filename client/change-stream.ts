import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";

const AT_MOST_EVERY_MS = 1_000;
/** A stream ends now and then by itself, and the browser opens the next one; longer than that it is away. */
const AWAY_AFTER_MS = 4_000;
/** After an answer that is no stream; the browser would not ask again. */
const AGAIN_AFTER_MS = 30_000;

let isOpen = false;
const listeners = new Set<() => void>();
function setOpen(value: boolean): void {
  if (isOpen === value) return;
  isOpen = value;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether this page hears of changes as they happen; where it does not, it has to look by the clock. */
export const useIsStreaming = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );

/** What marks a query that is to be read again when something has changed. */
export const FOLLOWS_CHANGES = { followsChanges: true } as const;

/**
 * While `isOn` and the page is in view, hears of changes of a tenant and has every query on screen that follows them
 * read again, once a second at most. A page in the background holds no connection: a browser has few.
 */
export function useChangeStream(tenantId: string | null, isOn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn || tenantId === null) return;
    const look = atMostEvery(AT_MOST_EVERY_MS, () => {
      void client.refetchQueries(
        { type: "active", predicate: ({ meta }) => meta?.followsChanges === true },
        { cancelRefetch: false },
      );
    });
    const stream = followChanges(tenantId, look.ask);
    return () => {
      stream.close();
      look.cancel();
    };
  }, [client, tenantId, isOn]);
}

function followChanges(tenantId: string, onChange: () => void): { close(): void } {
  let source: EventSource | undefined;
  let away: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    source?.close();
    source = undefined;
    clearTimeout(away);
    clearTimeout(again);
    setOpen(false);
  };
  const open = () => {
    close();
    if (document.visibilityState !== "visible") return;
    const opened = new EventSource(`/live?tenant=${encodeURIComponent(tenantId)}`);
    source = opened;
    opened.addEventListener("open", () => {
      clearTimeout(away);
      setOpen(true);
    });
    opened.addEventListener("changed", onChange);
    opened.addEventListener("error", () => {
      clearTimeout(away);
      if (opened.readyState === EventSource.CLOSED) {
        close();
        again = setTimeout(open, AGAIN_AFTER_MS);
      } else away = setTimeout(() => setOpen(false), AWAY_AFTER_MS);
    });
  };
  document.addEventListener("visibilitychange", open);
  open();
  return {
    close() {
      document.removeEventListener("visibilitychange", open);
      close();
    },
  };
}

/** Calls `work` when asked: at once if that was long enough ago, else as soon as it will have been. */
export function atMostEvery(ms: number, work: () => void): { ask(): void; cancel(): void } {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    last = performance.now();
    work();
  };
  return {
    ask() {
      const waitMs = last + ms - performance.now();
      if (waitMs <= 0 && timer === undefined) run();
      else timer ??= setTimeout(run, Math.max(0, waitMs));
    },
    cancel: () => clearTimeout(timer),
  };
}
