import type { ReplaySelection } from "#contracts/replays.ts";
import type { Tx } from "#db/client.ts";
import { countSelected } from "#db/queries/replay-selection.ts";
import type { ReplayTarget } from "#db/queries/replays.ts";
import { boundStatements, READ_BUDGET_MS } from "../bounded-read.ts";
import { deliveryRange, eventRange } from "../domain/replays.ts";
import { AppError } from "../errors.ts";
import { lookForMissing } from "./missing-events.ts";

/** A replay that was made at `createdAt`, or would be. */
export interface Selected {
  tenantId: string;
  target: ReplayTarget;
  selection: ReplaySelection;
  createdAt: Date;
}

/** How many deliveries a replay would be of right now. Throws `timeout` when that cannot be told within two seconds. */
export async function countSelection(tx: Tx, selected: Selected): Promise<number> {
  const { tenantId, target, selection, createdAt } = selected;
  const deadline = performance.now() + READ_BUDGET_MS;
  const range = deliveryRange(selection, createdAt);
  return boundStatements(tx, async () => {
    const there = await countSelected(tx, { tenantId, endpointId: target.id, ...range });
    return there + (await countMissing(tx, selected, deadline));
  });
}

async function countMissing(tx: Tx, selected: Selected, deadline: number): Promise<number> {
  const { tenantId, target, selection, createdAt } = selected;
  const range = eventRange(selection, createdAt);
  let count = 0;
  for (let after = range?.afterId; range && after !== undefined; ) {
    if (performance.now() > deadline)
      throw new AppError("timeout", "There are too many events to be counted; ask for a shorter time.");
    const { missing, last } = await lookForMissing(tx, { tenantId, target, range, after });
    count += missing.length;
    after = last;
  }
  return count;
}
