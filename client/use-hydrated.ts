import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while the page is as the server drew it, true from then on: for what only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
