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
 * The keys as runs, each key in one of them. A look-up by index goes down from the root for each key and costs three times
 * what it costs to go on to the next row: what is published together is read together.
 */
export function runsOf({ tenantIds, ids, jobIds = [] }: RowKeys): Runs {
  const compare = (a: number, b: number) =>
    compareTexts(tenantIds[a], tenantIds[b]) ||
    compareTexts(jobIds[a], jobIds[b]) ||
    compareTexts(ids[a], ids[b]);
  const runs: Runs = { tenantIds: [], jobIds: [], least: [], greatest: [] };
  let last = -1;
  // In any other order runs might lie across each other, and a row would be found twice.
  for (const n of Array.from(ids.keys()).sort(compare)) {
    const id = ids[n] ?? "";
    const tenantId = tenantIds[n] ?? "";
    const jobId = jobIds[n] ?? "";
    const isOfRun = tenantId === runs.tenantIds[last] && jobId === runs.jobIds[last];
    if (isOfRun && isNextTo(runs.greatest[last] ?? "", id)) runs.greatest[last] = id;
    else {
      runs.tenantIds.push(tenantId);
      runs.jobIds.push(jobId);
      runs.least.push(id);
      last = runs.greatest.push(id) - 1;
    }
  }
  return runs;
}

const compareTexts = (a = "", b = "") => (a < b ? -1 : a > b ? 1 : 0);

/** The parameters that tell of runs: their tenants, and the least and the greatest of their ids. */
export const boundsOf = ({ tenantIds, least, greatest }: Runs): Buffer[] =>
  [tenantIds, least, greatest].map((list) => arrayParameter("uuid", list));

// Ids of one process count up within a millisecond (RFC 9562 §6.2, method 1), by 42 bits behind the time. These are its last
// 16; the 24 characters before them are alike.
const COUNTER = [24, 28] as const;

/** Whether it is that id once more, or one that was made right after it. */
function isNextTo(before: string, id: string): boolean {
  const [from, to] = COUNTER;
  if (id === before) return true;
  if (!id.startsWith(before.slice(0, from))) return false;
  const distance = Number.parseInt(id.slice(from, to), 16) - Number.parseInt(before.slice(from, to), 16);
  return distance > 0 && distance <= MOST_BETWEEN + 1;
}
