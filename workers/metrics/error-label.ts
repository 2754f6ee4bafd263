import { OUTCOME_TABLE } from "#contracts/outcomes.ts";

// The statuses that mean something of their own; receivers choose among hundreds.
const NAMED = new Set([
  400,
  413,
  415,
  422,
  500,
  ...OUTCOME_TABLE.flatMap(({ statuses = [] }) => statuses.filter((each) => typeof each === "number")),
]);

/** An attempt's `error_code` as a label: whatever receivers answer, there are few. `none` when it was ok. */
export function errorLabel(errorCode: string | null): string {
  if (errorCode === null) return "none";
  if (!errorCode.startsWith("http_")) return errorCode;
  const status = Number(errorCode.slice("http_".length));
  return NAMED.has(status) ? errorCode : `http_${Math.floor(status / 100)}xx`;
}
