import { arrayParameter } from "../array-parameter.ts";

/** Rows as lists of keys name them; of those that are told apart by their jobs too, with these. */
export interface RowKeys {
  readonly tenantIds: readonly string[];
  readonly ids: readonly string[];
  readonly jobIds?: readonly string[];
}

/** Ids of one tenant (and job) that were made one right after the other, by the least and the greatest. */
export interface Runs {
  tenantIds: string[];
  jobIds: string[];
  least: string[];
  greatest: string[];
}

/** With more ids than so many between two of them, to pass over their rows would cost what a look-up costs. */
const MOST_BETWEEN = 4;

/**
 * The keys as runs, in the order given. A look-up by index goes down from the root for each key and costs three times what
 * it costs to go on to the next row: what is published together is read together.
 */
export function runsOf({ tenantIds, ids, jobIds = [] }: RowKeys): Runs {
  const runs: Runs = { tenantIds: [], jobIds: [], least: [], greatest: [] };
  let last = -1;
  // By number and in place: this is done for each delivery there is, three times.
  for (let n = 0; n < ids.length; n++) {
    const id = ids[n] ?? "";
    const tenantId = tenantIds[n] ?? "";
    const jobId = jobIds[n] ?? "";
    const isOfRun = n > 0 && tenantId === runs.tenantIds[last] && jobId === runs.jobIds[last];
    if (isOfRun && isNextTo(ids[n - 1] ?? "", id)) runs.greatest[last] = id;
    else {
      runs.tenantIds.push(tenantId);
      runs.jobIds.push(jobId);
      runs.least.push(id);
      last = runs.greatest.push(id) - 1;
    }
  }
  return runs;
}

/** The parameters that tell of runs: their tenants, and the least and the greatest of their ids. */
export const boundsOf = ({ tenantIds, least, greatest }: Runs): Buffer[] =>
  [tenantIds, least, greatest].map((list) => arrayParameter("uuid", list));

// Ids of one process count up within a millisecond (RFC 9562 §6.2, method 1), by 42 bits behind the time. These are its last
// 16; the 24 characters before them are alike.
const COUNTER = [24, 28] as const;

function isNextTo(before: string, id: string): boolean {
  const [from, to] = COUNTER;
  if (!id.startsWith(before.slice(0, from))) return false;
  const distance = Number.parseInt(id.slice(from, to), 16) - Number.parseInt(before.slice(from, to), 16);
  return distance > 0 && distance <= MOST_BETWEEN + 1;
}
