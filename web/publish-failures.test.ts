import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Db, withTransaction } from "#db/client.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
let db: Db;
beforeAll(async () => {
  api = await openTestApi();
  db = connect(api.databaseUrl, { name: "holder" });
});
afterAll(async () => {
  await db?.close();
  await api?.close();
});

const event = () => ({ id: `evt_${uuidv7()}`, type: "a", data: { n: 1 } });

/** A tenant whose transactions come to a stop before they commit, until they are let go. */
async function heldTenant() {
  const tenant = await api.addTenant();
  const [isHeld, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withTransaction(db, async (tx) => {
    await tx.query("select from tenant_sequences where tenant_id = $1 for update", [tenant.id]);
    isHeld.resolve();
    await mayGo.promise;
  });
  await isHeld.promise;
  return {
    ...tenant,
    publish: (json: object) => api.call("POST", "/events", { key: tenant.key, json }),
    batch: (events: object[]) => api.call("POST", "/events/batch", { key: tenant.key, json: { events } }),
    async letGo() {
      mayGo.resolve();
      await holding;
    },
    async stored() {
      const [row] = await db.query<{ n: number }>(
        "select count(*)::int as n from events where tenant_id = $1",
        [tenant.id],
      );
      return row?.n;
    },
  };
}

/** The connections of the API that wait for the counter. */
const waiting = () =>
  db.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and application_name <> 'posthorn-holder' and wait_event_type = 'Lock'`,
  );

const whenWaiting = (count: number) =>
  expect.poll(async () => (await waiting()).length).toBeGreaterThanOrEqual(count);

describe("publishing when things go wrong", () => {
  it("acknowledges nothing of a group whose connection was cut, and takes each event again", async () => {
    const tenant = await heldTenant();
    const events = Array.from({ length: 10 }, event);
    const answers = Promise.all(events.map(tenant.publish));
    await whenWaiting(1);
    // Whom the first group did not take along comes with the next.
    let cut = 0;
    for (const isOver = answers.then(() => true); !(await Promise.race([isOver, false])); )
      for (const { pid } of await waiting()) {
        await db.query("select pg_terminate_backend($1)", [pid]);
        cut++;
      }
    expect(cut).toBeGreaterThan(0);
    expect((await answers).map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      events.map(() => [503, "2"]),
    );
    expect(await tenant.stored()).toBe(0);
    await tenant.letGo();
    const again = await Promise.all(events.map(tenant.publish));
    expect(again.map(({ status }) => status)).toEqual(events.map(() => 201));
    expect(await tenant.stored()).toBe(10);
  });

  it("stores the event of a client that has left, once, however often it comes back", async () => {
    const tenant = await heldTenant();
    const sent = event();
    const leaving = new AbortController();
    const left = fetch(`${api.base}/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body: JSON.stringify(sent),
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    await whenWaiting(1);
    leaving.abort();
    expect(await left).toBe("AbortError");
    const [back] = await Promise.all([tenant.publish(sent), tenant.letGo()]);
    expect(back.status).toBe(200);
    expect(await tenant.stored()).toBe(1);
  });

  it("refuses with 503 what it has no room for while the database stands still, and stores all that it took", async () => {
    const tenant = await heldTenant();
    const full = () => Array.from({ length: 1_000 }, () => ({ type: "a", data: {} }));
    // Two are under way, the others wait.
    const taken = [tenant.batch(full())];
    await whenWaiting(1);
    taken.push(tenant.batch(full()));
    await whenWaiting(2);
    const outcomes = Array.from({ length: 7 }, () => tenant.batch(full()));
    const first = await Promise.race(outcomes);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "2"]);
    await tenant.letGo();
    const all = await Promise.all([...taken, ...outcomes]);
    const accepted = all.filter(({ status }) => status === 200).length;
    expect(accepted).toBe(7);
    expect(await tenant.stored()).toBe(accepted * 1_000);
  });
});
