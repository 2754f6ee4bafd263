"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type AuditFilters, MAX_EXPORTED, readForExport, verifyChains } from "#client/audit.ts";
import { auditCsv } from "#client/audit-csv.ts";
import { downloadText } from "#client/download.ts";
import { counted } from "#client/format.ts";
import type { AuditVerification } from "#contracts/audit.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { StatusMark } from "../status.tsx";

type Format = "csv" | "json";

/** Takes what the filters let through as a file, and has the chain of hashes verified. */
export function AuditTools({ filters }: { filters: AuditFilters }) {
  const announce = useAnnounce();
  const exporting = useMutation({
    mutationFn: async (format: Format) => {
      const found = await readForExport(filters);
      if (format === "csv") downloadText("audit-log.csv", auditCsv(found.entries), "text/csv");
      else downloadText("audit-log.json", JSON.stringify(found.entries, null, 2), "application/json");
      return { count: found.entries.length, isCut: found.isCut };
    },
    onSuccess: ({ count }) => announce(`Exported ${counted(count, "entry", "entries")}`),
  });
  const verifying = useMutation({
    mutationFn: () => verifyChains(filters.chain),
    onSuccess: (found) => announce(verdictOf(found)),
  });
  return (
    <div style={{ marginBottom: "var(--mantine-spacing-sm)" }}>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShieldCheck size={15} />}
          loading={verifying.isPending}
          onClick={() => verifying.mutate()}
        >
          Verify the chain
        </Button>
        {(["csv", "json"] as const).map((format) => (
          <Button
            key={format}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} />}
            loading={exporting.isPending && exporting.variables === format}
            onClick={() => exporting.mutate(format)}
          >
            Export {format.toUpperCase()}
          </Button>
        ))}
        {verifying.data && <Verdict found={verifying.data} />}
        {exporting.data && (
          <Text size="xs" c="dimmed">
            {counted(exporting.data.count, "entry", "entries")} exported
            {exporting.data.isCut &&
              `: the newest ${MAX_EXPORTED.toLocaleString("en")}, narrow the filters for the rest`}
          </Text>
        )}
      </Group>
      {verifying.error && <ProblemAlert error={verifying.error} onRetry={() => verifying.mutate()} />}
      {exporting.error && <ProblemAlert error={exporting.error} />}
      {verifying.data && !verifying.data.intact && <Broken found={verifying.data} />}
    </div>
  );
}

const verdictOf = ({ intact, entries, chains }: AuditVerification) =>
  `${intact ? "Intact" : "Not intact"}: ${counted(entries, "entry", "entries")} in ${counted(chains, "chain")}`;

function Verdict({ found }: { found: AuditVerification }) {
  return (
    <span data-testid="verdict">
      <StatusMark label={verdictOf(found)} tone={found.intact ? "good" : "bad"} />
    </span>
  );
}

function Broken({ found }: { found: AuditVerification }) {
  return (
    <Alert mt="xs" variant="default" role="alert" title="Entries were changed or removed">
      {found.broken.map(({ tenant_id: id, number }) => (
        <Text size="sm" key={id ?? "installation"}>
          {id ?? "The installation"}: entry {number} is not what was written, or is missing. Nothing after it
          can be relied on. Compare with a backup, and with what the database’s own log says.
        </Text>
      ))}
    </Alert>
  );
}
