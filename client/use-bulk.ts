import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { uuidv7 } from "uuidv7";
import type { Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import type { Replay } from "#contracts/replays.ts";
import {
  type BulkAction,
  type BulkPlan,
  type Progress,
  planMatching,
  planRows,
  runDismissal,
  runEach,
  startReplay,
} from "./bulk.ts";
import type { Filters } from "./delivery-filters.ts";

/** What an action is asked for on: rows, or everything that filters match. */
export type BulkTarget = { action: BulkAction } & ({ rows: readonly Delivery[] } | { filters: Filters });

/** What came of it. */
export interface BulkResult {
  progress: Progress;
  /** Made on the server, where they go on. */
  replays: Replay[];
}

/** Counts what an action would do, does it when asked, and can be stopped in between. */
export function useBulk(tenantId: string, target: BulkTarget, endpoints: readonly Endpoint[]) {
  const client = useQueryClient();
  const [asked] = useState(uuidv7);
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopping = useRef(new AbortController());
  const plan = useQuery({
    queryKey: ["bulk", asked],
    queryFn: ({ signal }) =>
      "rows" in target
        ? planRows(target.action, target.rows)
        : planMatching({ tenantId, endpoints, ...target }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const run = useMutation({
    mutationFn: ({ plan, reason }: { plan: BulkPlan; reason: string }) =>
      carryOut(
        { tenantId, action: target.action, plan, reason, key: asked },
        setProgress,
        stopping.current.signal,
      ),
  });
  useEffect(() => () => stopping.current.abort(), []);
  return {
    plan,
    progress,
    run: { ...run, start: run.mutate },
    /** Reads anew what is shown underneath: replays have gone on since they were made. */
    refresh: () => {
      void client.invalidateQueries({ queryKey: ["deliveries"] });
      void client.invalidateQueries({ queryKey: ["failures", tenantId] });
    },
    stop: () => stopping.current.abort(),
  };
}

interface Order {
  tenantId: string;
  action: BulkAction;
  plan: BulkPlan;
  reason: string;
  /** Of this wish: what is repeated after a lost answer does nothing more. */
  key: string;
}

async function carryOut(
  { tenantId, action, plan, reason, key }: Order,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  switch (plan.kind) {
    case "each":
      return {
        progress: await runEach({ tenantId, action, ids: plan.ids, reason, key }, onProgress, signal),
        replays: [],
      };
    case "dismissal":
      return {
        progress: await runDismissal(
          { tenantId, body: plan.body, total: plan.total, reason },
          onProgress,
          signal,
        ),
        replays: [],
      };
    case "replays": {
      const replays: Replay[] = [];
      for (const part of plan.parts) {
        if (signal.aborted) break;
        replays.push(await startReplay(tenantId, part, `${key}-${part.endpoint.id}`));
      }
      return { progress: { total: plan.total, done: 0, refused: new Map() }, replays };
    }
  }
}
