"use client";

import { createContext, use } from "react";
import type { Refuse } from "#client/role-refusal.ts";
import type { Scope } from "#contracts/scopes.ts";

/** What the pages take from their surroundings that staff and consumers both see: the console or a portal. */
export interface Workspace {
  /** Whose things it shows. */
  tenantId: string;
  /** Whether whoever looks holds the scope. The server decides; this only tells people beforehand. */
  holds: (scope: Scope) => boolean;
  refuse: Refuse;
  /** Whether it is a portal: what consumers never do is not there, in place of being refused. */
  isPortal: boolean;
  /** The address of a page of this workspace. `path` begins with `/`, and may have a query of its own. */
  href: (path: string) => string;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const value = use(WorkspaceContext);
  if (!value) throw new Error("useWorkspace is for pages inside the console or a portal");
  return value;
}
