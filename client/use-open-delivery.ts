import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useRef } from "react";
import { OPEN_PARAMETER } from "./list-address.ts";

/** The delivery beside the list, kept in the address: it can be linked to, and the browser's Back closes it. */
export function useOpenDelivery() {
  const [id, set] = useQueryState(OPEN_PARAMETER, parseAsString);
  const isStep = useRef(false);
  const actions = useMemo(
    () => ({
      open: (wanted: string) => {
        isStep.current = true;
        void set(wanted, { history: "push" });
      },
      /** Another one in its place; Back still leads to the list alone. */
      exchange: (wanted: string) => void set(wanted, { history: "replace" }),
      close: () => {
        if (isStep.current) window.history.back();
        else void set(null, { history: "replace" });
        isStep.current = false;
      },
    }),
    [set],
  );
  return { id, ...actions };
}
