"use client";

import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import type { AuditFilters } from "#client/audit.ts";
import type { AuditEntry } from "#contracts/audit.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { Fact, Facts } from "../facts.tsx";
import { Ago, Moment } from "../time.tsx";
import { AuditDiff } from "./audit-diff.tsx";
import classes from "./audit-entry-view.module.css";

interface AuditEntryViewProps {
  entry: AuditEntry;
  onFilter: (some: Partial<AuditFilters>) => void;
}

/** One entry of the log, whole. */
export function AuditEntryView({ entry, onFilter }: AuditEntryViewProps) {
  return (
    <Stack gap="md">
      <Title order={3} className={classes.title}>
        {entry.action} <span className={classes.target}>{entry.target}</span>
      </Title>
      <Facts isList>
        <Fact name="When">
          <Moment at={entry.at} /> (<Ago at={entry.at} />)
        </Fact>
        <Fact name="Who">
          {entry.actor}, role {entry.role}
        </Fact>
        <Fact name="Tenant">{entry.tenant_id ?? "none: it concerns the whole installation"}</Fact>
        <Fact name="Request">
          <Code>{entry.request_id}</Code>
          <CopyIcon value={entry.request_id} what="request id" />
        </Fact>
        <Fact name="Place">
          number {entry.number} of its chain, SHA-256 <Code>{entry.hash.slice(0, 16)}…</Code>
          <CopyIcon value={entry.hash} what="hash" />
        </Fact>
      </Facts>
      <AuditDiff before={entry.before} after={entry.after} />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => onFilter({ target: entry.target })}>
          All of this target
        </Button>
        <Button size="xs" variant="default" onClick={() => onFilter({ actor: entry.actor })}>
          All by this person
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        Secrets are never in the log.
      </Text>
    </Stack>
  );
}
