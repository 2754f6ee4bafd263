import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { QUEUES } from "#server/queue/queues.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const create = async (json: object = {}, key = api.tenant.key) => {
  const sent = { url: "https://example.com/webhooks", event_types: ["*"], ...json };
  return (await api.call("POST", "/webhook-endpoints", { json: sent, key })).json;
};
const act = (id: string, action: string, headers: Record<string, string> = {}) =>
  api.call("POST", `/webhook-endpoints/${id}/${action}`, { headers });
const remove = (id: string, headers: Record<string, string> = {}, key = api.tenant.key) =>
  api.call("DELETE", `/webhook-endpoints/${id}`, { headers, key });
const publish = async (type = "invoice.paid") =>
  (await api.call("POST", "/events", { json: { type, data: { n: 1 } } })).json.id as string;
const deliveriesOf = async (id: string) =>
  (await api.call("GET", `/deliveries?endpoint_id=${id}&limit=100`)).json.items as {
    event_type: string;
    event_id: string;
    status: string;
  }[];
const jobs = (queue: string, id: string) =>
  api.services.db.query<{ data: { before?: string } }>(
    "select data from pgboss.job where name = $1 and data->>'endpointId' = $2",
    [queue, fromId("endpoint", id)],
  );
const actions = async (id: string) =>
  (await api.services.db.query("select action from audit_log where target = $1 order by number", [id])).map(
    ({ action }) => action,
  );

describe("DELETE /webhook-endpoints/{id}", () => {
  it("is 204, and 204 again; after it there is nothing to read or change", async () => {
    const { id } = await create();
    const first = await remove(id);
    expect([first.status, first.text, first.headers.get("etag")]).toEqual([204, "", null]);
    expect((await remove(id)).status).toBe(204);
    const patch = { json: { description: "x" }, headers: { "if-match": '"1"' } };
    const calls = await Promise.all([
      api.call("GET", `/webhook-endpoints/${id}`),
      api.call("PATCH", `/webhook-endpoints/${id}`, patch),
      ...["enable", "disable", "pause", "secret-rotations"].map((action) => act(id, action)),
      api.call("GET", `/webhook-endpoints/${id}/secrets`),
      api.call("DELETE", `/webhook-endpoints/${id}/secrets/v1`),
    ]);
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 404));
    const listed = (await api.call("GET", "/webhook-endpoints?limit=100")).json.items;
    expect(listed.map((endpoint: { id: string }) => endpoint.id)).not.toContain(id);
    expect(await actions(id)).toEqual(["webhook_endpoint.create", "webhook_endpoint.delete"]);
  });

  it("destroys what was sealed, has its deliveries cancelled, and leaves them readable", async () => {
    const { id } = await create({ headers: { "x-token": "t" }, asymmetric: true });
    await publish();
    await remove(id);
    const { db } = api.services;
    const uuid = fromId("endpoint", id);
    expect(await db.query("select 1 from endpoint_secrets where endpoint_id = $1", [uuid])).toEqual([]);
    const rows = await db.query(
      "select sealed_headers, sealed_signing_key, header_names from webhook_endpoints where id = $1",
      [uuid],
    );
    expect(rows).toEqual([{ sealed_headers: null, sealed_signing_key: null, header_names: [] }]);
    expect(await jobs(QUEUES.cancelQueued.name, id)).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([{ event_type: "invoice.paid" }]);
    await publish("invoice.sent");
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it("is 404 for what never existed and for another tenant's, deleted or not", async () => {
    const other = await api.addTenant();
    const { id } = await create({}, other.key);
    expect((await remove(id)).status).toBe(404);
    expect((await remove(id, {}, other.key)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect((await remove("whe_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84")).status).toBe(404);
  });

  it("honours If-Match when it is sent, but not once nothing is left", async () => {
    const { id } = await create();
    const stale = await remove(id, { "if-match": '"7"' });
    expect(stale.json).toMatchObject({ status: 412, current_version: 1 });
    expect((await remove(id, { "if-match": '"1"' })).status).toBe(204);
    expect((await remove(id, { "if-match": '"1"' })).status).toBe(204);
  });

  it("happens once however many do it at once", async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
    expect(await jobs(QUEUES.cancelQueued.name, id)).toHaveLength(1);
  });
});

describe("disable", () => {
  it("makes no further delivery, has the queued ones cancelled, and is done once", async () => {
    const { id } = await create();
    await publish();
    const answer = await act(id, "disable");
    expect(answer.json).toMatchObject({ status: "disabled", disabled_reason: null, version: 2 });
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, '"2"']);
    expect((await act(id, "disable")).json.version).toBe(2);
    await publish();
    expect(await deliveriesOf(id)).toHaveLength(1);
    expect(await jobs(QUEUES.cancelQueued.name, id)).toHaveLength(1);
    expect(await actions(id)).toEqual(["webhook_endpoint.create", "webhook_endpoint.disable"]);
  });
});

describe("pause", () => {
  it("goes on making deliveries", async () => {
    const { id } = await create();
    expect((await act(id, "pause")).json).toMatchObject({ status: "paused", version: 2 });
    expect((await act(id, "pause")).json.version).toBe(2);
    const eventId = await publish();
    expect(await deliveriesOf(id)).toMatchObject([{ event_id: eventId, status: "pending" }]);
    expect(await jobs(QUEUES.cancelQueued.name, id)).toEqual([]);
  });
});

describe("enable", () => {
  it("sends a Ping to this endpoint alone and releases what is held, once", async () => {
    const { id } = await create({ event_types: ["nothing.of.that"] });
    const neighbour = await create();
    expect((await act(id, "enable")).json).toMatchObject({ status: "enabled", version: 1 });
    expect(await deliveriesOf(id)).toEqual([]);
    await act(id, "pause");
    expect((await act(id, "enable")).json).toMatchObject({ status: "enabled", version: 3 });
    expect((await act(id, "enable")).json.version).toBe(3);
    const [ping, ...more] = await deliveriesOf(id);
    expect(more).toEqual([]);
    expect(ping).toMatchObject({ event_type: "Ping", status: "pending" });
    expect(await deliveriesOf(neighbour.id)).toEqual([]);
    expect(await jobs(QUEUES.releaseHeld.name, id)).toHaveLength(1);
    const event = await api.call("GET", `/events/${ping?.event_id}`);
    expect(event.json).toMatchObject({ type: "Ping", sequence: expect.any(Number) });
  });

  it("clears why the platform had disabled it, and counts as one change with its key", async () => {
    const { id } = await create();
    await api.services.db.query(
      "update webhook_endpoints set status = 'disabled', disabled_reason = 'gone', version = 2 where id = $1",
      [fromId("endpoint", id)],
    );
    const headers = { "idempotency-key": "enable-once" };
    const [first, again] = [await act(id, "enable", headers), await act(id, "enable", headers)];
    expect(first.json).toMatchObject({ status: "enabled", disabled_reason: null, version: 3 });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it("is 412 when another version was expected", async () => {
    const { id } = await create();
    expect((await act(id, "disable", { "if-match": '"3"' })).json).toMatchObject({
      status: 412,
      current_version: 1,
    });
    expect((await act(id, "disable", { "if-match": '"1"' })).status).toBe(200);
  });

  it("takes no members", async () => {
    const { id } = await create();
    const answer = await api.call("POST", `/webhook-endpoints/${id}/enable`, { json: { status: "x" } });
    expect(answer.json).toMatchObject({ status: 422, errors: [{ pointer: "#/status" }] });
  });
});

describe("who may change endpoints", () => {
  it("needs webhooks:write, and secrets:rotate for secrets", async () => {
    const { id } = await create();
    const reader = await api.addKey(api.tenant.id, ["webhooks:read"]);
    const writer = await api.addKey(api.tenant.id, ["webhooks:write"]);
    const path = `/webhook-endpoints/${id}`;
    const status = async (key: string, method: string, below = "", headers = {}) =>
      (await api.call(method, path + below, { key, headers })).status;
    expect(await status(reader, "GET", "/secrets")).toBe(200);
    expect(await status(reader, "POST", "/pause")).toBe(403);
    expect(await status(reader, "DELETE")).toBe(403);
    expect(await status(writer, "POST", "/secret-rotations")).toBe(403);
    expect(await status(writer, "DELETE", "/secrets/v1")).toBe(403);
    expect(await status(writer, "GET")).toBe(403);
    expect(await status(writer, "DELETE")).toBe(204);
  });
});
