import { setTimeout as delay } from "node:timers/promises";
import { fromId } from "#contracts/ids.ts";
import { type ApiClient, isPassing } from "./api-client.ts";
import type { FeedReading } from "./evidence.ts";

interface Page {
  items: { id: string; sequence: number }[];
  next_cursor: string;
}

const AGAIN_AFTER_MS = 200;

/** Reads the feed of one tenant from its beginning, page after page, for as long as it is not stopped. */
export class FeedReader {
  readonly reading: FeedReading;
  readonly refusals: string[] = [];
  readonly #api: ApiClient;
  readonly #key: string;
  #isStopping = false;

  constructor(api: ApiClient, tenant: { id: string; key: string }) {
    this.#api = api;
    this.#key = tenant.key;
    this.reading = { tenantId: tenant.id, events: [] };
  }

  async run(): Promise<void> {
    let after = "";
    while (!this.#isStopping) {
      const path = `/events?limit=50&wait=1${after}`;
      const answer = await this.#api.call(this.#key, "GET", path);
      if (answer?.status === 200) {
        const { items, next_cursor }: Page = JSON.parse(answer.text);
        for (const { id, sequence } of items)
          this.reading.events.push({ id: fromId("event", id) ?? id, sequence });
        after = `&after=${encodeURIComponent(next_cursor)}`;
        continue;
      }
      if (!isPassing(answer))
        this.refusals.push(`GET ${path} was answered ${answer?.status}: ${answer?.text}`);
      await delay(AGAIN_AFTER_MS);
    }
  }

  stop(): void {
    this.#isStopping = true;
  }
}
