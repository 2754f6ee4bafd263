"use client";

import { Badge, Code, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "#client/settings.ts";
import type { Setting } from "#contracts/settings.ts";
import { Fact, Facts } from "../facts.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./settings-view.module.css";

/** What the installation runs with. Nothing of it can be changed here: it is the environment of the processes. */
export function InstallationFacts() {
  const settings = useQuery(settingsQuery);
  return (
    <section className={classes.wide} aria-labelledby="runs-with">
      <Title order={2} id="runs-with">
        What it runs with
      </Title>
      <Text size="sm" c="dimmed">
        Set in the environment of the processes, and read when they start. Secrets are never shown.
      </Text>
      {settings.error && <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isPending && <Skeleton height={400} mt="sm" />}
      {settings.data && (
        <>
          <Facts isList>
            <Fact name="Version">{settings.data.version}</Fact>
            <Fact name="Node.js">{settings.data.node_version}</Fact>
            <Fact name="Origin">{settings.data.origin}</Fact>
            <Fact name="Root keys">{settings.data.root_keys.join(", ")}, newest first</Fact>
          </Facts>
          {settings.data.settings.map((setting) => (
            <SettingLine key={setting.name} setting={setting} />
          ))}
        </>
      )}
    </section>
  );
}

function SettingLine({ setting }: { setting: Setting }) {
  const { name, value, source, secret, meaning } = setting;
  const words = value ?? (secret && source === "environment" ? "set, not shown" : "not set");
  return (
    <div className={classes.setting}>
      <div className={classes.line}>
        <Code>{name}</Code>
        <Text size="sm" c={value === null ? "dimmed" : undefined} component="span">
          {words}
        </Text>
        {source === "environment" && (
          <Badge size="xs" variant="default">
            set
          </Badge>
        )}
      </div>
      <Text size="xs" c="dimmed">
        {meaning}
      </Text>
    </div>
  );
}
