import { setTimeout as delay } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { toId } from "#contracts/ids.ts";
import { type ApiClient, isPassing } from "./api-client.ts";
import type { Dice } from "./dice.ts";
import type { AcceptedEvent } from "./evidence.ts";

export interface PublisherOptions {
  api: ApiClient;
  dice: Dice;
  tenant: { id: string; name: string; key: string };
  /** Events per second, about. */
  rate: number;
}

const AGAIN_AFTER_MS = 200;
const BATCH = 5;
const TYPES = ["Chaos.one", "Chaos.two", "OrderCreated"] as const;

/**
 * Publishes for one tenant, event by event or a few at once, until it is stopped. An event without an answer is published
 * again under its id until there is one: what it counts as accepted, the API has acknowledged.
 */
export class Publisher {
  readonly accepted: AcceptedEvent[] = [];
  readonly refusals: string[] = [];
  readonly #options: PublisherOptions;
  #isStopping = false;
  #made = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Publishes; settles once it is stopped and everything that was begun has its answer. */
  async run(): Promise<void> {
    const { dice, rate } = this.#options;
    const underWay = new Set<Promise<void>>();
    while (!this.#isStopping) {
      const count = dice.next() < 0.1 ? BATCH : 1;
      const publishing = this.#publish(count).finally(() => underWay.delete(publishing));
      underWay.add(publishing);
      await delay((2 * dice.next() * count * 1000) / rate);
      // Not without end, while nothing is accepted.
      if (underWay.size > 20) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  }

  stop(): void {
    this.#isStopping = true;
  }

  async #publish(count: number): Promise<void> {
    const { api, dice, tenant } = this.#options;
    const events = Array.from({ length: count }, () => ({
      id: uuidv7(),
      type: TYPES[dice.between(0, TYPES.length - 1)],
      // Spelt so that a body which was read and written again would show.
      data: `{"tenant":"${tenant.name}","number": ${++this.#made}, "amount": 1.50,"pad":"${"ü".repeat(dice.between(0, 200))}"}`,
    }));
    const texts = events.map(
      ({ id, type, data }) => `{"id":"${toId("event", id)}","type":"${type}","data":${data}}`,
    );
    const [path, body] =
      count === 1 ? ["/events", texts.join()] : ["/events/batch", `{"events":[${texts.join()}]}`];
    for (;;) {
      const answer = await api.call(tenant.key, "POST", path, body);
      const accepted = answer?.status === 201 || answer?.status === 200;
      if (accepted && !/"status":[45]/.test(answer.text)) {
        this.accepted.push(...events.map(({ id, data }) => ({ tenantId: tenant.id, id, data })));
        return;
      }
      if (!isPassing(answer)) {
        this.refusals.push(`POST ${path} was answered ${answer?.status}: ${answer?.text.slice(0, 500)}`);
        return;
      }
      await delay(AGAIN_AFTER_MS);
    }
  }
}
