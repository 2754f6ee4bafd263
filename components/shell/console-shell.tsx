"use client";

import { AppShell, Burger, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useChangeStream } from "#client/change-stream.ts";
import { useLiveMode } from "#client/live.ts";
import { sessionQuery, signInPath } from "#client/session.ts";
import { useTenantChoice, withTenant } from "#client/use-tenant.ts";
import { ConsoleProvider } from "../console-context.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { Hotkeys } from "../hotkeys/hotkeys.tsx";
import { Mark } from "../mark.tsx";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { SkipLink } from "../skip-link.tsx";
import { ColorSchemeMenu } from "./color-scheme-menu.tsx";
import classes from "./console-shell.module.css";
import { LiveMenu } from "./live-menu.tsx";
import { SECTION_GROUPS } from "./navigation.ts";
import { Rail } from "./rail.tsx";
import { Reauthentication } from "./reauthentication.tsx";
import { TenantMenu } from "./tenant-menu.tsx";
import { UserMenu } from "./user-menu.tsx";

const MAIN_ID = "main";

/** Header, navigation and the gate before every page: signed in, and looking at a tenant. */
export function ConsoleShell({ children }: { children: ReactNode }) {
  const [isRailOpen, rail] = useDisclosure(false);
  const path = usePathname();
  const session = useQuery(sessionQuery);
  const user = session.data?.user ?? null;
  const { tenants, tenantId } = useTenantChoice();
  // Before they are known it would show an id where a name belongs.
  const tenantMenu = tenantId !== null && !tenants.isPending && (
    <TenantMenu tenants={tenants.data ?? []} tenantId={tenantId} />
  );
  useSignInWhen(session.data === null);
  const [liveMode] = useLiveMode();
  useChangeStream(tenantId, user !== null && liveMode === "live");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rail closes on every change of page.
  useEffect(rail.close, [path]);

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !isRailOpen } }}
      transitionDuration={0}
    >
      <SkipLink target={MAIN_ID} />
      <AppShell.Header className={classes.header}>
        <Group gap="sm" wrap="nowrap" className={classes.lead}>
          <Burger
            size="sm"
            hiddenFrom="sm"
            opened={isRailOpen}
            onClick={rail.toggle}
            aria-label="Navigation"
            aria-expanded={isRailOpen}
          />
          <Link href={tenantId ? withTenant("/overview", tenantId) : "/"} className={classes.brand}>
            <Mark />
            <Text fw={650} size="lg" component="span">
              Posthorn
            </Text>
            <VisuallyHidden>, to the overview</VisuallyHidden>
          </Link>
        </Group>
        {tenantMenu && <div className={classes.tenantInHeader}>{tenantMenu}</div>}
        <Group gap={6} wrap="nowrap" ml="auto">
          {user && tenantId && (
            <Hotkeys
              sections={SECTION_GROUPS.flat()}
              tenants={(tenants.data ?? []).filter(({ id }) => id !== tenantId)}
              href={(path) => withTenant(path, tenantId)}
            />
          )}
          {user && tenantId && <LiveMenu />}
          <ColorSchemeMenu />
          {user && <UserMenu user={user} />}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.rail} aria-label="Sections">
        {tenantMenu && <div className={classes.tenantInRail}>{tenantMenu}</div>}
        <Rail path={path} tenantId={tenantId} />
      </AppShell.Navbar>
      <AppShell.Main id={MAIN_ID} tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          {user && tenantId ? (
            <ConsoleProvider user={user} tenantId={tenantId}>
              {children}
              <Reauthentication />
            </ConsoleProvider>
          ) : (
            <Gate error={session.error ?? tenants.error} isEmpty={tenants.data?.length === 0} />
          )}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Leaves for the sign-in page, which leads back here. The address is left for good: nothing of the session stays. */
function useSignInWhen(isSignedOut: boolean): void {
  useEffect(() => {
    if (isSignedOut) window.location.replace(signInPath(window.location.pathname + window.location.search));
  }, [isSignedOut]);
}

function Gate({ error, isEmpty }: { error: unknown; isEmpty: boolean }) {
  if (error) return <ProblemAlert error={error} onRetry={() => window.location.reload()} />;
  if (isEmpty)
    return (
      <EmptyNote title="There is no tenant yet" level={1}>
        Everything in Posthorn belongs to a tenant. Make the first one with{" "}
        <code>npm run posthorn -- tenants create</code>, then reload this page.
      </EmptyNote>
    );
  return <PageSkeleton />;
}
