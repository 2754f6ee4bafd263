"use client";

import { Tabs } from "@mantine/core";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { holds } from "#client/session.ts";
import { useConsole } from "../console-context.tsx";
import { PageHeader } from "../page-header.tsx";
import { RefusedNote } from "../refused-note.tsx";
import { HealthList } from "./health-list.tsx";
import { InstallationFacts } from "./installation-facts.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import classes from "./settings-view.module.css";
import { TwoFactor } from "./two-factor.tsx";

const TABS = ["account", "installation"] as const;

/** The page of one's own account, and of what the installation runs with. */
export function SettingsView() {
  const { user } = useConsole();
  const mayRead = holds(user.role, "settings:read");
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS));
  return (
    <>
      <PageHeader title="Settings">Your own account, and what this installation runs with.</PageHeader>
      <Tabs
        value={tab ?? (mayRead ? "installation" : "account")}
        onChange={(value) => void setTab(TABS.find((name) => name === value) ?? null)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="installation">Installation</Tabs.Tab>
          <Tabs.Tab value="account">Your account</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="installation" className={classes.panel}>
          {mayRead ? (
            <>
              <HealthList />
              <InstallationFacts />
            </>
          ) : (
            <RefusedNote role={user.role}>Here they see settings and health of the installation.</RefusedNote>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="account" className={classes.panel}>
          <PasswordForm email={user.email} role={user.role} />
          <TwoFactor />
          <Passkeys />
          <OwnSessions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
