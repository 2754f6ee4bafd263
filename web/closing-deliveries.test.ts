import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId, toId } from "#contracts/ids.ts";
import type { Role } from "#contracts/scopes.ts";
import { withTransaction } from "#db/client.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { insertClaims } from "#db/queries/claims.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { staffOf } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({
    findStaff: async (cookie) => staffOf(cookie.replace("role=", "") as Role),
  });
  const json = { url: "https://example.com/x", event_types: ["*"] };
  await api.call("POST", "/webhook-endpoints", { json });
});
afterAll(() => api.close());

/** A fresh delivery, which waits for its first attempt; as `status` when that is given. */
async function publish(status?: string): Promise<string> {
  await api.call("POST", "/events", { json: { type: "invoice.paid", data: {} } });
  const { json } = await api.call("GET", "/deliveries?limit=1");
  const id: string = json.items[0].id;
  if (status)
    await api.services.db.query("update deliveries set status = $2 where id = $1", [uuid(id), status]);
  return id;
}
const uuid = (id: string) => fromId("delivery", id) ?? "";
const act = (id: string, action: string, json?: unknown) =>
  api.call("POST", `/deliveries/${id}/${action}`, json === undefined ? {} : { json });
const rels = (json: { links: { rel: string }[] }) => json.links.map(({ rel }) => rel);

/** Lets a worker take the delivery's job, as it does: in a transaction of its own, with a claim. */
async function take(id: string): Promise<void> {
  const { db, boss } = api.services;
  const [row] = await db.query<{ job_id: string }>("select job_id from deliveries where id = $1", [uuid(id)]);
  const jobId = row?.job_id ?? "";
  const claim = { jobId, queue: "deliver", tenantId: api.tenant.id, deliveryIds: [uuid(id)] };
  for (const job of await boss.fetch("deliver", { batchSize: 100 }))
    if (job.id !== jobId) await db.query("update pgboss.job set state = 'created' where id = $1", [job.id]);
  await withTransaction(db, (tx) => insertClaims(tx, 1, [claim]));
}

describe("POST /deliveries/{id}/dismiss", () => {
  it("closes a failed delivery, which keeps why it failed and can still be replayed", async () => {
    const id = await publish("failed");
    await api.services.db.query(
      "update deliveries set failure_class = 'permanent', failure_reason = 'http_400' where id = $1",
      [uuid(id)],
    );
    const { status, json } = await act(id, "dismiss", { reason: "settled by hand" });
    expect([status, json.status, json.failure_class, json.failure_reason]).toEqual([
      200,
      "dismissed",
      "permanent",
      "http_400",
    ]);
    expect(rels(json)).toEqual(["self", "attempts", "replay"]);
    expect((await api.call("GET", `/deliveries/${id}`)).json).toEqual(json);
    const log = await listAuditRows(api.services.db, api.tenant.id);
    expect(log.at(-1)).toMatchObject({
      action: "delivery.dismiss",
      target: id,
      before: { status: "failed" },
      after: { status: "dismissed", reason: "settled by hand" },
    });
    expect((await act(id, "replay")).status).toBe(202);
  });

  it.each([
    ["pending", ["cancel"]],
    ["delivered", ["replay"]],
    ["cancelled", ["replay"]],
    ["dismissed", ["replay"]],
  ])("refuses one that is %s, with its state and what can be done", async (state, actions) => {
    const id = await publish(state);
    const { status, json } = await act(id, "dismiss");
    expect([status, json.state, rels(json)]).toEqual([409, state, ["self", "attempts", ...actions]]);
  });

  it("lets one of many at once succeed", async () => {
    const id = await publish("failed");
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(id, "dismiss")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe("POST /deliveries/{id}/cancel", () => {
  it("closes a delivery that waits, and its job then leaves it alone", async () => {
    const id = await publish();
    const { status, json } = await act(id, "cancel");
    expect([status, json.status, json.next_attempt_at]).toEqual([200, "cancelled", null]);
    expect(rels(json)).toEqual(["self", "attempts", "replay"]);
    const log = await listAuditRows(api.services.db, api.tenant.id);
    expect(log.at(-1)).toMatchObject({
      action: "delivery.cancel",
      target: id,
      after: { status: "cancelled" },
    });
  });

  it("closes one that nobody has a job for", async () => {
    const id = await publish();
    await api.services.db.query("update deliveries set job_id = gen_random_uuid() where id = $1", [uuid(id)]);
    expect((await act(id, "cancel")).status).toBe(200);
  });

  it("refuses one that a worker has", async () => {
    const id = await publish();
    await take(id);
    const { status, json } = await act(id, "cancel");
    expect([status, json.state, rels(json)]).toEqual([409, "in_flight", ["self", "attempts"]]);
    expect((await api.call("GET", `/deliveries/${id}`)).json.status).toBe("in_flight");
  });

  it("is not overtaken by a worker: whoever takes the job first has it", async () => {
    const { db, boss } = api.services;
    for (let round = 0; round < 20; round++) {
      const id = await publish();
      const [answer] = await Promise.all([act(id, "cancel"), boss.fetch("deliver", { batchSize: 100 })]);
      const [row] = await db.query<{ status: string; state: string }>(
        `select d.status, j.state from deliveries d left join pgboss.job j on j.id = d.job_id where d.id = $1`,
        [uuid(id)],
      );
      if (answer.status === 200) expect(row?.status).toBe("cancelled");
      else expect([answer.status, row?.status, row?.state]).toEqual([409, "pending", "active"]);
    }
  });

  it.each(["delivered", "failed", "cancelled", "dismissed"])("refuses one that is %s", async (state) => {
    const { status, json } = await act(await publish(state), "cancel");
    expect([status, json.state]).toEqual([409, state]);
  });

  it("refuses members that it does not know, and reasons that cannot be kept", async () => {
    const id = await publish();
    for (const body of [{ why: "x" }, { reason: "" }, { reason: 7 }, { reason: "x".repeat(501) }])
      expect((await act(id, "cancel", body)).status).toBe(422);
    expect((await api.call("GET", `/deliveries/${id}`)).json.status).toBe("pending");
  });
});

it("needs the scope deliveries:replay for either", async () => {
  const key = await api.addKey(api.tenant.id, ["deliveries:read", "webhooks:write"]);
  const id = await publish();
  for (const action of ["dismiss", "cancel"])
    expect((await api.call("POST", `/deliveries/${id}/${action}`, { key })).status).toBe(403);
});

it("may be done by staff from support on, and the audit log has who it was", async () => {
  const as = (role: Role, id: string) =>
    api.call("POST", `/deliveries/${id}/dismiss`, {
      key: null,
      headers: {
        cookie: `role=${role}`,
        origin: api.server.origin,
        "posthorn-tenant": toId("tenant", api.tenant.id),
      },
    });
  const id = await publish("failed");
  expect((await as("viewer", id)).status).toBe(403);
  expect((await as("support", id)).status).toBe(200);
  const log = await listAuditRows(api.services.db, api.tenant.id);
  expect(log.at(-1)).toMatchObject({ actor: "support@example.com", role: "support", target: id });
});
