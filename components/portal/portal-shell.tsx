"use client";

import { MantineProvider } from "@mantine/core";
import { focusManager, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useParams } from "next/navigation";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { actByToken } from "#client/credentials.ts";
import { isToken, linkRefusal, portalHref, portalQuery } from "#client/portal.ts";
import { newQueryClient } from "#client/query-client.ts";
import type { Portal } from "#contracts/portal-links.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { theme, themeOf, variables } from "../theme.ts";
import { type Workspace, WorkspaceContext } from "../workspace-context.tsx";
import { EndedDialog, EndedPage } from "./link-ended.tsx";
import classes from "./portal-frame.module.css";
import { PortalFrame } from "./portal-frame.tsx";

/** The gate before every page of a portal: the link it was opened with, and what that gives. */
export function PortalShell({ children }: { children: ReactNode }) {
  const { token } = useParams<{ token: string }>();
  if (!isToken(token)) return <EndedPage />;
  return (
    <Opened key={token} token={token}>
      {children}
    </Opened>
  );
}

function Opened({ token, children }: { token: string; children: ReactNode }) {
  const [hasEnded, setEnded] = useState(false);
  const [client] = useState(() => newQueryClient(() => setEnded(true)));
  // Before anything below asks for something.
  useLayoutEffect(() => actByToken(token), [token]);
  useRestWhen(hasEnded);
  return (
    <QueryClientProvider client={client}>
      <Gate token={token} hasEnded={hasEnded}>
        {children}
      </Gate>
    </QueryClientProvider>
  );
}

/** Nothing is looked at again by itself once there is nothing to be seen: to the queries, nobody sits here. */
function useRestWhen(hasEnded: boolean): void {
  useEffect(() => {
    if (!hasEnded) return;
    focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [hasEnded]);
}

interface GateProps {
  token: string;
  hasEnded: boolean;
  children: ReactNode;
}

function Gate({ token, hasEnded, children }: GateProps) {
  const portal = useQuery(portalQuery);
  if (portal.data)
    return (
      <Themed portal={portal.data}>
        <PortalWorkspace token={token} portal={portal.data}>
          <PortalFrame portal={portal.data} hasEnded={hasEnded}>
            {children}
          </PortalFrame>
          <EndedDialog hasEnded={hasEnded} />
        </PortalWorkspace>
      </Themed>
    );
  if (portal.error instanceof ApiProblem && portal.error.status === 401) return <EndedPage />;
  return (
    <main className={classes.page}>
      {portal.error ? (
        <ProblemAlert error={portal.error} onRetry={() => void portal.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </main>
  );
}

/** The colours of whoever sent the link, in the scheme of whoever looks. */
function Themed({ portal, children }: { portal: Portal; children: ReactNode }) {
  const accent = portal.theme.accent_color;
  const own = useMemo(() => (accent ? themeOf(accent) : theme), [accent]);
  return (
    <MantineProvider theme={own} cssVariablesResolver={variables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

function PortalWorkspace({
  token,
  portal,
  children,
}: {
  token: string;
  portal: Portal;
  children: ReactNode;
}) {
  const { scopes, tenant } = portal;
  const workspace = useMemo((): Workspace => {
    return {
      tenantId: tenant.id,
      isPortal: true,
      holds: (scope) => scopes.includes(scope),
      refuse: (scope, what) => linkRefusal(scopes, scope, what),
      href: (path) => portalHref(token, path),
    };
  }, [token, scopes, tenant.id]);
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}
