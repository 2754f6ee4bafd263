"use client";

import { Button, Group, Menu, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect } from "react";
import type { Filters } from "#client/delivery-filters.ts";
import type { EndpointsById } from "#client/endpoints.ts";
import { MAX_EXPORTED } from "#client/export.ts";
import { counted } from "#client/format.ts";
import { type Exported, useExport } from "#client/use-export.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";

/** Saves what the filters match as a file; while it reads it says how far, and can be stopped. */
export function ExportMenu({ filters, endpoints }: { filters: Filters; endpoints: EndpointsById }) {
  const { tenantId } = useWorkspace();
  const { start, isReading, count, result, error, cancel } = useExport(tenantId, filters, endpoints);
  if (isReading)
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {counted(count, "row")} read
        </Text>
        <Button size="xs" variant="default" onClick={cancel}>
          Stop the export
        </Button>
      </Group>
    );
  return (
    <>
      <Menu width={250}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>All that match, at most {MAX_EXPORTED.toLocaleString("en")}</Menu.Label>
          <Menu.Item onClick={() => start("csv")}>CSV</Menu.Item>
          <Menu.Item onClick={() => start("json")}>JSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {result && <Done result={result} />}
      {error && <ProblemAlert error={error} />}
    </>
  );
}

function Done({ result: { rows, isCut } }: { result: Exported }) {
  const announce = useAnnounce();
  const words = isCut
    ? `The newest ${rows.toLocaleString("en")} were exported; more match than one file holds.`
    : `${counted(rows, "delivery", "deliveries")} exported.`;
  useEffect(() => announce(words), [announce, words]);
  return (
    <Text size="xs" c="dimmed">
      {words}
    </Text>
  );
}
