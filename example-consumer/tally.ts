import type { Outcome } from "#receiver/index.ts";

const MAX_RECENT = 20;

/** Counts what was answered since the start and remembers the last deliveries: their ids, never what they carry. */
export class Tally {
  readonly #counts = { stored: 0, duplicates: 0, rejected: 0, failed: 0 };
  #recent: {
    at: string;
    status: number;
    result: string;
    event_type: string | null;
    delivery_id: string | null;
  }[] = [];

  add(outcome: Outcome): void {
    if (outcome.status === 202) this.#counts.stored += 1;
    else if (outcome.status === 200) this.#counts.duplicates += 1;
    else if (outcome.status === 500) this.#counts.failed += 1;
    else this.#counts.rejected += 1;

    const { status, result, eventType, deliveryId } = outcome;
    const entry = {
      at: new Date().toISOString(),
      status,
      result,
      event_type: eventType,
      delivery_id: deliveryId,
    };
    this.#recent = [entry, ...this.#recent].slice(0, MAX_RECENT);
  }

  /** As shown on the status page. */
  summary() {
    return { since_start: { ...this.#counts }, last_deliveries: this.#recent };
  }
}
