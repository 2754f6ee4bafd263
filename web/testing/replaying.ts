import { fromId } from "#contracts/ids.ts";
import type { Replay } from "#contracts/replays.ts";
import { eventually } from "#tests/eventually.ts";
import { forkWorker } from "#workers/delivery/fixtures/worker-process.ts";
import type { Answer, TestApi } from "../test-support.ts";

interface LoggedTry {
  deliveryId: string;
  number: number;
  trigger: string;
  outcome: string;
}

/** What the tests of replays do again and again. */
export function replaying(api: TestApi) {
  const { db } = api.services;
  return {
    async addEndpoint(url: string, more: Record<string, unknown> = {}): Promise<string> {
      const json = { url, event_types: ["*"], ...more };
      const { status, text } = await api.call("POST", "/webhook-endpoints", { json });
      if (status !== 201) throw new Error(`no endpoint was made: ${text}`);
      return JSON.parse(text).id;
    },

    /** Publishes events, in batches of a thousand. */
    async publish(type: string, count: number): Promise<void> {
      for (let left = count; left > 0; left -= 1_000) {
        const events = Array.from({ length: Math.min(left, 1_000) }, (_, n) => ({ type, data: { n } }));
        const { status } = await api.call("POST", "/events/batch", { json: { events } });
        if (status !== 200) throw new Error(`a batch was refused: ${status}`);
      }
    },

    /** Ends everything that is queued for an endpoint, as if it had been tried. */
    async settleAll(endpointId: string, status: string): Promise<void> {
      await db.query(
        `update deliveries set status = $2, next_attempt_at = null, job_id = gen_random_uuid()
          where endpoint_id = $1 and status = 'pending'`,
        [fromId("endpoint", endpointId), status],
      );
      await db.query("delete from pgboss.job where name like 'deliver%'");
    },

    startWorker: () => forkWorker({ url: api.databaseUrl, encryptionKeys: api.encryptionKeys }),

    start: (endpointId: string, kind: "replays" | "recoveries", json: unknown, query = ""): Promise<Answer> =>
      api.call("POST", `/webhook-endpoints/${endpointId}/${kind}${query}`, { json }),

    async read(id: string): Promise<Replay> {
      return (await api.call("GET", `/replays/${id}`)).json;
    },

    /** Waits until the replay has come so far. */
    until(id: string, isThere: (replay: Replay) => boolean, timeoutMs = 60_000): Promise<Replay> {
      return eventually(async () => {
        const replay = (await api.call("GET", `/replays/${id}`)).json as Replay;
        if (!isThere(replay)) throw new Error(`the replay stands at ${JSON.stringify(replay)}`);
        return replay;
      }, timeoutMs);
    },

    /** How many deliveries of the endpoint there are of each status. */
    async statuses(endpointId: string): Promise<Record<string, number>> {
      const rows = await db.query<{ status: string; count: number }>(
        "select status, count(*)::int as count from deliveries where endpoint_id = $1 group by status",
        [fromId("endpoint", endpointId)],
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },

    /** The attempts of each delivery of the endpoint that has any, first to last. */
    async attemptsOf(endpointId: string): Promise<LoggedTry[][]> {
      const rows = await db.query<LoggedTry & Record<string, unknown>>(
        `select a.delivery_id as "deliveryId", a.number, a.trigger, a.outcome
           from attempts a join deliveries d on d.id = a.delivery_id
          where d.endpoint_id = $1 order by a.delivery_id, a.number`,
        [fromId("endpoint", endpointId)],
      );
      return [...Map.groupBy(rows, ({ deliveryId }) => deliveryId).values()];
    },
  };
}

/** A range that covers the whole test. */
export const wholeRange = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
});
