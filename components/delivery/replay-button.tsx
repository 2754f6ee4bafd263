"use client";

import { Button, Text } from "@mantine/core";
import { IconRotateClockwise } from "@tabler/icons-react";
import { useEffect, useId } from "react";
import { milliseconds } from "#client/format.ts";
import type { Attempt } from "#contracts/deliveries.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { useAnnounce } from "../announcer.tsx";
import { withKey } from "../hotkeys/keys.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { OUTCOME, StatusMark } from "../status.tsx";
import classes from "./replay-button.module.css";

interface ReplayButtonProps {
  /** Why it cannot be replayed now; `null` when it can. */
  refusal: string | null;
  replay: {
    ask: () => void;
    isAsking: boolean;
    error: unknown;
    number: number | null;
    result: Attempt | null;
  };
}

/** Sends a delivery again and shows what came of it. */
export function ReplayButton({ refusal, replay }: ReplayButtonProps) {
  const explanation = useId();
  const { number, result } = replay;
  // While the replay is under way its own words say why there is no second one.
  const isUnderWay = number !== null && result === null;
  return (
    <div className={classes.replay}>
      <Button
        size="sm"
        title={withKey("Send it again", "replay")}
        leftSection={<IconRotateClockwise size={16} />}
        loading={replay.isAsking}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        aria-describedby={explanation}
        onClick={(event) => (refusal === null ? replay.ask() : event.preventDefault())}
      >
        Replay
      </Button>
      <div id={explanation} className={classes.explanation}>
        {number !== null ? (
          <ReplayResult number={number} result={result} />
        ) : (
          <Text size="xs" c="dimmed">
            {refusal ?? "Sends the same bytes again, under the same delivery id."}
          </Text>
        )}
        {number !== null && !isUnderWay && refusal && (
          <Text size="xs" c="dimmed">
            {refusal}
          </Text>
        )}
      </div>
      {replay.error !== null && <ProblemAlert error={replay.error} />}
    </div>
  );
}

function ReplayResult({ number, result }: { number: number; result: Attempt | null }) {
  const announce = useAnnounce();
  const words = result
    ? `Attempt ${number}: ${explainOutcome(result.error_code)}`
    : `Replay accepted: attempt ${number} is on its way.`;
  useEffect(() => announce(words), [announce, words]);
  return (
    <div className={classes.result} data-testid="replay-result">
      {result ? (
        <>
          <StatusMark {...OUTCOME[result.outcome]} />
          <span>
            {words}
            {result.duration_ms !== null && ` It took ${milliseconds(result.duration_ms)}.`}
          </span>
        </>
      ) : (
        <>
          <StatusMark label="Replaying" tone="busy" pulses />
          <span>{words}</span>
        </>
      )}
    </div>
  );
}
