"use client";

import { createContext, type ReactNode, use, useMemo } from "react";
import { roleRefusal } from "#client/role-refusal.ts";
import { holds, type Session } from "#client/session.ts";
import { withTenant } from "#client/use-tenant.ts";
import { type Workspace, WorkspaceContext } from "./workspace-context.tsx";

export interface Console {
  user: Session["user"];
  tenantId: string;
}

const ConsoleContext = createContext<Console | null>(null);

/** Who is signed in and which tenant they look at; there for every page inside the shell. */
export function ConsoleProvider({ user, tenantId, children }: Console & { children: ReactNode }) {
  const console = useMemo(() => ({ user, tenantId }), [user, tenantId]);
  const workspace = useMemo((): Workspace => {
    return {
      tenantId,
      isPortal: false,
      holds: (scope) => holds(user.role, scope),
      refuse: (scope, what) => roleRefusal(user.role, scope, what),
      href: (path) => withTenant(path, tenantId),
    };
  }, [user.role, tenantId]);
  return (
    <ConsoleContext value={console}>
      <WorkspaceContext value={workspace}>{children}</WorkspaceContext>
    </ConsoleContext>
  );
}

export function useConsole(): Console {
  const value = use(ConsoleContext);
  if (!value) throw new Error("useConsole is for pages inside the console's shell");
  return value;
}
