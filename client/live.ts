import { useLocalStorage } from "@mantine/hooks";
import { FOLLOWS_CHANGES, useIsStreaming } from "./change-stream.ts";

/** How often pages that can change look again; `null`: not until somebody asks. */
export const LIVE_MODES = {
  live: { label: "Live", everyMs: 2_000, help: "Shows what changes as it happens" },
  "5s": { label: "5 s", everyMs: 5_000, help: "Looks again every 5 seconds" },
  "30s": { label: "30 s", everyMs: 30_000, help: "Looks again every 30 seconds" },
  paused: { label: "Paused", everyMs: null, help: "Nothing changes on screen by itself" },
} as const satisfies Record<string, { label: string; everyMs: number | null; help: string }>;
export type LiveMode = keyof typeof LIVE_MODES;
export const LIVE_MODE_NAMES = Object.keys(LIVE_MODES) as LiveMode[];

/** The choice of this browser, shared by all its pages and tabs. */
export function useLiveMode(): [LiveMode, (mode: LiveMode) => void] {
  const [stored, store] = useLocalStorage<string>({ key: "posthorn.live", defaultValue: "live" });
  const mode = LIVE_MODE_NAMES.find((name) => name === stored) ?? "live";
  return [mode, store];
}

/** Between two looks of a page that hears of changes as they happen: times pass, and a notification may be lost. */
const STREAMING_EVERY_MS = 15_000;

/** Milliseconds between two looks; `null` while paused. */
export function useLiveInterval(): number | null {
  const [mode] = useLiveMode();
  const isStreaming = useIsStreaming();
  return mode === "live" && isStreaming ? STREAMING_EVERY_MS : LIVE_MODES[mode].everyMs;
}

/** Query options of whatever follows the live control: paused is paused, for focus and reconnects too. */
export function liveOptions(everyMs: number | null) {
  return {
    refetchInterval: everyMs ?? (false as const),
    refetchOnWindowFocus: everyMs !== null,
    refetchOnReconnect: everyMs !== null,
    meta: FOLLOWS_CHANGES,
  };
}
