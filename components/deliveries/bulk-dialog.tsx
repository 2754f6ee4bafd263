"use client";

import { Button, Group, Modal, Progress, Stack, Text, Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import type { BulkAction, BulkPlan } from "#client/bulk.ts";
import { counted } from "#client/format.ts";
import { type BulkResult, type BulkTarget, useBulk } from "#client/use-bulk.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { BulkPlanText, countOf } from "./bulk-plan.tsx";
import { ReplaysProgress } from "./replays-progress.tsx";

const WORDS: Record<BulkAction, { title: string; verb: string; done: string }> = {
  replay: { title: "Replay deliveries", verb: "Replay", done: "put back to be sent again" },
  dismiss: { title: "Dismiss failed deliveries", verb: "Dismiss", done: "dismissed" },
  cancel: { title: "Cancel pending deliveries", verb: "Cancel", done: "cancelled" },
};

interface BulkDialogProps {
  target: BulkTarget;
  endpoints: readonly Endpoint[];
  /** `isDone`: something was done. */
  onClose: (isDone: boolean) => void;
}

/** Says what an action on many deliveries will do, does it when told to, and shows how far it has come. */
export function BulkDialog({ target, endpoints, onClose }: BulkDialogProps) {
  const { tenantId } = useWorkspace();
  const { plan, progress, run, refresh, stop } = useBulk(tenantId, target, endpoints);
  const [reason, setReason] = useState("");
  const words = WORDS[target.action];
  const isBusy = run.isPending;
  const close = () => {
    if (isBusy) return;
    const isDone = run.isSuccess || run.isError;
    if (isDone) refresh();
    onClose(isDone);
  };
  return (
    <Modal opened onClose={close} title={words.title} closeOnClickOutside={!isBusy} withCloseButton={!isBusy}>
      <Stack gap="md">
        {plan.error && <ProblemAlert error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.isPending && <Text size="sm">Counting…</Text>}
        {plan.data && run.isIdle && (
          <>
            <BulkPlanText action={target.action} plan={plan.data} />
            {target.action !== "replay" && countOf(plan.data) > 0 && (
              <Textarea
                label="Reason"
                description="Kept in the audit log."
                maxLength={500}
                autosize
                minRows={2}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
          </>
        )}
        {progress && isBusy && (
          <div>
            <Progress value={(100 * progress.done) / Math.max(1, progress.total)} aria-label="Progress" />
            <Text size="sm" mt={6}>
              {progress.done.toLocaleString("en")} of {counted(progress.total, "delivery", "deliveries")}.
              Keep this page open.
            </Text>
          </div>
        )}
        {run.error && <ProblemAlert error={run.error} />}
        {run.data && <Result result={run.data} done={words.done} />}
        <Foot
          plan={plan.data}
          verb={words.verb}
          state={isBusy ? "busy" : run.isIdle ? "asking" : "ended"}
          onStart={() => plan.data && run.start({ plan: plan.data, reason })}
          onStop={stop}
          onClose={close}
        />
      </Stack>
    </Modal>
  );
}

interface FootProps {
  plan: BulkPlan | undefined;
  verb: string;
  state: "asking" | "busy" | "ended";
  onStart: () => void;
  onStop: () => void;
  onClose: () => void;
}

function Foot({ plan, verb, state, onStart, onStop, onClose }: FootProps) {
  const count = plan ? countOf(plan) : 0;
  return (
    <Group justify="flex-end" gap="xs">
      {state === "busy" ? (
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button variant="default" onClick={onClose}>
          {state === "ended" ? "Close" : "Back"}
        </Button>
      )}
      {state === "asking" && count > 0 && (
        <Button data-autofocus onClick={onStart}>
          {verb} {counted(count, "delivery", "deliveries")}
        </Button>
      )}
    </Group>
  );
}

function Result({ result: { progress, replays }, done }: { result: BulkResult; done: string }) {
  const announce = useAnnounce();
  const refused = [...progress.refused.values()].reduce((sum, count) => sum + count, 0);
  const words =
    replays.length > 0
      ? `${counted(replays.length, "replay")} made of ${counted(progress.total, "delivery", "deliveries")}.`
      : `${counted(progress.done - refused, "delivery", "deliveries")} ${done}.`;
  useEffect(() => announce(words), [announce, words]);
  return (
    <Stack gap="xs" data-testid="bulk-result">
      <Text size="sm" fw={500}>
        {words}
      </Text>
      {progress.done < progress.total && replays.length === 0 && (
        <Text size="sm">
          Stopped: {(progress.total - progress.done).toLocaleString("en")} are as they were.
        </Text>
      )}
      {[...progress.refused].map(([why, count]) => (
        <Text key={why} size="sm">
          {counted(count, "delivery was", "deliveries were")} refused: {why}
        </Text>
      ))}
      {replays.length > 0 && <ReplaysProgress replays={replays} />}
    </Stack>
  );
}
