import { QUEUES } from "#server/queue/queues.ts";
import { type LaneState, roomOf } from "./lane.ts";
import type { Task } from "./types.ts";

/** A request that begins so long after its job was taken can still end and be written before the job expires. */
export const BEGIN_WITHIN_MS = 60_000;

/** Whether a task has waited for so long that its job may be somebody else's before it would have ended. */
export const isOld = (task: Task, now: number): boolean => now - task.chunk.claimedAt > BEGIN_WITHIN_MS;

/** What came from the slow queue, or is of an ordered endpoint, waits where it is; to put it off would lead nowhere. */
export const mayLeave = ({ chunk }: Task): boolean =>
  chunk.queue !== QUEUES.deliverSlow.name && chunk.queue !== QUEUES.deliverSuspect.name && !chunk.run;

/** Whether a task at that place of its lane, from 0, cannot go on waiting there. */
export function hasToLeave(task: Task, lane: LaneState, position: number, now: number): boolean {
  if (isOld(task, now)) return true;
  // Nothing of an ordered endpoint is held here while its head hangs.
  if (task.chunk.run) return lane.isHanging && lane.inFlight > 0;
  if (task.isProbe) return false;
  // Behind requests that hang nothing waits; where there is merely much to do, only as much as is next.
  return mayLeave(task) && (lane.isHanging || (lane.isCrowded && position >= roomOf(lane)));
}
