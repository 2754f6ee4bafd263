"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { byId, endpointsQuery } from "#client/endpoints.ts";
import { failuresQuery, filtersOf } from "#client/failures.ts";
import { counted } from "#client/format.ts";
import { liveOptions, useLiveInterval } from "#client/live.ts";
import type { BulkTarget } from "#client/use-bulk.ts";
import type { Failures } from "#contracts/failures.ts";
import { EmptyNote } from "../empty-note.tsx";
import { PageHeader } from "../page-header.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { FailureTable } from "./failure-table.tsx";
import classes from "./failures.module.css";

const BulkDialog = dynamic(() => import("../deliveries/bulk-dialog.tsx").then((module) => module.BulkDialog));

const LEAST_EVERY_MS = 10_000;

/** The page of what has failed for good and that nobody has seen to. */
export function FailureList() {
  const { tenantId } = useWorkspace();
  const [target, setTarget] = useState<BulkTarget | null>(null);
  const liveMs = useLiveInterval();
  // What one is about to act on stands still.
  const everyMs = liveMs === null || target ? null : Math.max(liveMs, LEAST_EVERY_MS);
  const failures = useQuery({ ...failuresQuery(tenantId), ...liveOptions(everyMs) });
  const { data: endpoints } = useQuery(endpointsQuery(tenantId));
  const endpointsById = useMemo(() => byId(endpoints ?? []), [endpoints]);
  return (
    <>
      <PageHeader title="Terminal failures">
        Deliveries that were given up and wait for somebody: replay them once the cause is mended, or dismiss
        them.
      </PageHeader>
      {failures.error && !failures.data ? (
        <ProblemAlert error={failures.error} onRetry={() => void failures.refetch()} />
      ) : (
        <FailureTable
          failures={failures.data}
          endpoints={endpoints && endpointsById}
          onAct={(action, group) => setTarget({ action, filters: filtersOf(group) })}
        />
      )}
      {failures.data && <Foot failures={failures.data} onRefresh={() => void failures.refetch()} />}
      {target && endpoints && (
        <BulkDialog target={target} endpoints={endpoints} onClose={() => setTarget(null)} />
      )}
    </>
  );
}

function Foot({ failures, onRefresh }: { failures: Failures; onRefresh: () => void }) {
  const { total, complete, groups } = failures;
  if (groups.length === 0)
    return (
      <EmptyNote
        title="Nothing has failed for good"
        action={
          <Button size="xs" variant="default" onClick={onRefresh}>
            Look again
          </Button>
        }
      >
        Every delivery has arrived, is still being tried, or was seen to. Nobody waits for you here.
      </EmptyNote>
    );
  return (
    <p className={classes.foot}>
      {counted(total, "delivery has", "deliveries have")} failed, in {counted(groups.length, "group")}.
      {!complete && " There are more: only the newest are counted here."}
    </p>
  );
}
