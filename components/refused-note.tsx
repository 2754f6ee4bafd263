"use client";

import type { ReactNode } from "react";
import type { Role } from "#contracts/scopes.ts";
import { EmptyNote } from "./empty-note.tsx";

/** In place of a page that one's role does not open: what it holds, and who can help. */
export function RefusedNote({ role, children }: { role: Role; children: ReactNode }) {
  return (
    <EmptyNote title="Only admins see this">
      {children} Your role is {role}; an admin can look for you, or change your role.
    </EmptyNote>
  );
}
