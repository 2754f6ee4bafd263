"use client";

import { VisuallyHidden } from "@mantine/core";
import { createContext, type ReactNode, use, useCallback, useState } from "react";

const Announce = createContext<(text: string) => void>(() => undefined);

/** Tells people who listen to the page what has just changed on it. */
export const useAnnounce = () => use(Announce);

/** The page's one live region. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: "", turn: 0 });
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), []);
  return (
    <Announce value={announce}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {/* A new element, so that the same words are read out again. */}
        <span key={said.turn}>{said.text}</span>
      </VisuallyHidden>
    </Announce>
  );
}
