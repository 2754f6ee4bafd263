"use client";

import { UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import { milliseconds } from "#client/format.ts";
import { resultLabel } from "#client/result-label.ts";
import type { Attempt, Trigger } from "#contracts/deliveries.ts";
import { OUTCOME, StatusMark } from "../status.tsx";
import { Ago } from "../time.tsx";
import { AttemptDetails } from "./attempt-details.tsx";
import classes from "./attempt-item.module.css";

const TRIGGER: Record<Trigger, string | null> = {
  schedule: null,
  replay: "replay",
  recovery: "recovery",
  test: "test",
};

interface AttemptItemProps {
  attempt: Attempt;
  /** How long after the one before it began, in words. */
  waited: string | null;
  isOpen: boolean;
  onToggle: () => void;
}

/** One attempt as a line, with everything about it underneath when it is open. */
export function AttemptItem({ attempt, waited, isOpen, onToggle }: AttemptItemProps) {
  const details = useId();
  const { tone } = OUTCOME[attempt.outcome];
  const trigger = TRIGGER[attempt.trigger];
  return (
    <li>
      <h3 className={classes.heading}>
        <UnstyledButton
          className={classes.line}
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={onToggle}
        >
          <IconChevronRight size={16} className={classes.chevron} data-open={isOpen || undefined} />
          <StatusMark label={`Attempt ${attempt.number}`} tone={tone} />
          <span className={classes.result}>{resultOf(attempt)}</span>
          {trigger && <span className={classes.tag}>{trigger}</span>}
          <span className={classes.duration}>
            {attempt.duration_ms === null ? "" : milliseconds(attempt.duration_ms)}
          </span>
          <span className={classes.when}>
            <Ago at={attempt.started_at} />
            {waited && <span className={classes.waited}>+{waited}</span>}
          </span>
        </UnstyledButton>
      </h3>
      <div id={details} hidden={!isOpen}>
        {isOpen && <AttemptDetails attempt={attempt} />}
      </div>
    </li>
  );
}

/** The status that came back, or in a word why there was none. */
function resultOf(attempt: Attempt): string {
  if (attempt.response) return String(attempt.response.status);
  return attempt.error_code ? resultLabel(attempt.error_code) : OUTCOME[attempt.outcome].label;
}
