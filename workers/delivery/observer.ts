import type { SettleRow } from "#db/queries/settle.ts";
import type { DeliveryQueue } from "#server/queue/queues.ts";
import type { LaneState } from "./lane.ts";

/** A batch of results that has been committed. */
export interface WrittenResults {
  /** The tries that counted, as they are in the log. */
  counted: readonly SettleRow[];
  /** Results that came when their deliveries had long been given to others. */
  late: number;
  /** From the first statement to the answer of COMMIT. */
  durationMs: number;
}

/** Is told what a worker has done, after the fact. Nothing here may throw, or take longer than it must. */
export interface EngineObserver {
  /** Jobs were taken from a queue. */
  claimed(queue: DeliveryQueue, jobs: number): void;
  written(results: WrittenResults): void;
  /** A batch could not be written, and is tried again or given up. */
  notWritten(): void;
  /** Deliveries were moved to a job of another queue, or back. */
  moved(queue: DeliveryQueue, deliveries: number): void;
  /** Tries of vanished workers were logged as lost. */
  lost(tries: number): void;
  /** Jobs of vanished workers were put back. */
  swept(jobs: number): void;
  /** The lease was taken anew. */
  renewed(): void;
  /** This machine's clock is so far ahead of the database's; negative when it is behind. */
  skewed(skewMs: number): void;
}

/** What a worker has in hand at one moment. */
export interface InHand {
  /** Whether its lease is held: nothing is sent without it. */
  holdsLease: boolean;
  jobs: number;
  /** Waiting or being sent, by the queue they came from; what hangs does not count. */
  deliveries: readonly { queue: DeliveryQueue; count: number }[];
  /** Requests under way, and those among them that have lasted too long to count as quick. */
  requests: { all: number; hanging: number };
  lanes: Iterable<
    Pick<LaneState, "key" | "cap" | "isHanging" | "isCrowded" | "inFlight"> & { waiting: readonly unknown[] }
  >;
  /** Results that are not written yet. */
  unwritten: number;
}
