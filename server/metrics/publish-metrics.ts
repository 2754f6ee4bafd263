import type { Registry } from "prom-client";
import { Distribution, registerRead, Tally } from "./tally.ts";

const BATCH_EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** What became of an event that somebody published: stored, there before under its id, or refused. */
export type PublishResult = "created" | "repeated" | "refused";

/** Counts what is published in a process by calls that publish. */
export class PublishTally {
  readonly events = new Tally("result");
  readonly batches = new Distribution(BATCH_EVENTS);

  constructor() {
    for (const result of ["created", "repeated", "refused"] satisfies PublishResult[])
      this.events.add(0, result);
  }

  /** One call, with the result of each of its events. */
  observe(results: readonly PublishResult[]): void {
    this.batches.observe(results.length);
    for (const result of results) this.events.add(1, result);
  }
}

/** Registers what was counted. */
export function publishMetrics(registry: Registry, tally: PublishTally): void {
  registerRead(
    registry,
    {
      name: "posthorn_events_published_total",
      help: "Events that calls brought, by result: created, repeated or refused; those of carts and orders aside.",
    },
    "counter",
    () => tally.events.samples(),
  );
  const batch = { name: "posthorn_publish_batch_events", help: "Events of a call that publishes." };
  registerRead(registry, batch, "histogram", () => tally.batches.samples(batch.name));
}
