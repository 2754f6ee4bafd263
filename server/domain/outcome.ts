import {
  type ErrorCode,
  OUTCOME_TABLE,
  type OutcomeRow,
  type TransportErrorCode,
} from "#contracts/outcomes.ts";

/** What came of one try: a status line, or the reason why there was none. */
export type AttemptResult =
  | { kind: "response"; status: number }
  | { kind: "error"; code: TransportErrorCode };

export interface Success {
  outcome: "ok";
  errorCode: null;
  row: OutcomeRow;
}

/** A try that failed. `row` is the line of the outcome table that decided, with its flags and its reason. */
export interface Failure {
  outcome: Exclude<OutcomeRow["outcome"], "ok">;
  errorCode: ErrorCode;
  row: OutcomeRow;
}

export type Classification = Success | Failure;

/** Finds what a result means in the outcome table (standards: the retry classification). Never throws. */
export function classify(result: AttemptResult): Classification {
  const row = rowFor(result);
  if (row.outcome === "ok") return { outcome: "ok", errorCode: null, row };
  return { outcome: row.outcome, errorCode: errorCodeOf(row, result), row };
}

function rowFor(result: AttemptResult): OutcomeRow {
  const found = OUTCOME_TABLE.find((row) =>
    result.kind === "response" ? coversStatus(row, result.status) : row.errors?.includes(result.code),
  );
  if (!found) throw new Error("The outcome table is not total.");
  return found;
}

function coversStatus(row: OutcomeRow, status: number): boolean {
  return (row.statuses ?? []).some((range) =>
    typeof range === "number" ? status === range : status >= range[0] && status <= range[1],
  );
}

function errorCodeOf(row: OutcomeRow, result: AttemptResult): ErrorCode {
  if (row.errorCode === "http_<status>" && result.kind === "response") return `http_${result.status}`;
  if (row.errorCode === "<error>" && result.kind === "error") return result.code;
  return row.errorCode as ErrorCode;
}
