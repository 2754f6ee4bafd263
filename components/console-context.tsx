"use client";

import { createContext, use } from "react";
import type { Session } from "#client/session.ts";

export interface Console {
  user: Session["user"];
  tenantId: string;
}

/** Who is signed in and which tenant they look at; there for every page inside the shell. */
export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
  const value = use(ConsoleContext);
  if (!value) throw new Error("useConsole is for pages inside the console's shell");
  return value;
}
