import { useSyncExternalStore } from "react";

const TICK_MS = 1_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

function watch(onTick: () => void): () => void {
  watchers.add(onTick);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    watchers.delete(onTick);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const onTick of watchers) onTick();
}

/** Milliseconds since the epoch, by the second: one clock for everything on the page that counts time. */
export function useNow(): number {
  return useSyncExternalStore(watch, current, current);
}

function current(): number {
  // Without watchers the clock stands; whoever comes first sets it.
  if (timer === undefined && Date.now() - nowMs > TICK_MS) nowMs = Date.now();
  return nowMs;
}
