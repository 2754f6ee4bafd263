import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Attempt } from "#contracts/deliveries.ts";
import { openReceiver } from "#workers/delivery/fixtures/http-receiver.ts";
import { forkWorker } from "#workers/delivery/fixtures/worker-process.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

const SECRET_HEADER = "Bearer very-secret-value";
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function addEndpoint(url: string, type: string): Promise<{ id: string; secret: string }> {
  const json = { url, event_types: [type], headers: { Authorization: SECRET_HEADER } };
  return (await api.call("POST", "/webhook-endpoints", { json })).json;
}

/** The attempts of the newest delivery of an endpoint, once there are as many. */
async function attemptsOf(endpoint: string, count: number): Promise<{ attempts: Attempt[]; text: string }> {
  const { json } = await api.call("GET", `/deliveries?endpoint_id=${endpoint}&limit=1`);
  const path = `/deliveries/${json.items[0].id}/attempts`;
  await expect
    .poll(async () => (await api.call("GET", path)).json.items.length)
    .toBeGreaterThanOrEqual(count);
  const { json: page, text } = await api.call("GET", path);
  return { attempts: page.items, text };
}

const publish = (type: string) => api.call("POST", "/events", { json: { type, data: { n: 1.5 } } });
const startWorker = () => forkWorker({ url: api.databaseUrl, encryptionKeys: api.encryptionKeys });

describe("GET /deliveries/{id}/attempts", () => {
  it("tells each attempt as it was sent and as it was answered, and never a secret", async () => {
    const receiver = await openReceiver(({ headers, answer }) => {
      if (headers["x-attempt"] === "1") answer(503, { "content-type": "text/plain", "retry-after": "1" });
      else answer(200);
    });
    const endpoint = await addEndpoint(`${receiver.origin}/hook?x=1`, "Told");
    const { json: event, text: body } = await publish("Told");
    await startWorker();
    const { attempts, text } = await attemptsOf(endpoint.id, 2);
    const [first, second] = attempts;

    expect(first).toEqual({
      id: expect.stringMatching(/^att_/),
      delivery_id: expect.stringMatching(/^dlv_/),
      number: 1,
      trigger: "schedule",
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duration_ms: expect.any(Number),
      outcome: "retry",
      error_code: "http_503",
      request: { method: "POST", url: `${receiver.origin}/hook?x=1`, headers: expect.any(Object), body },
      response: { status: 503, headers: expect.any(Object), body: "", body_truncated: false },
      timings_ms: {
        dns: null,
        connect: expect.any(Number),
        tls: null,
        first_byte: expect.any(Number),
        total: first?.duration_ms,
      },
      remote_address: expect.stringContaining("127.0.0.1"),
      next_attempt_at: expect.any(String),
    });
    expect(Date.parse(first?.next_attempt_at ?? "")).toBeGreaterThan(Date.parse(first?.started_at ?? ""));
    expect(second).toMatchObject({ number: 2, outcome: "ok", error_code: null, next_attempt_at: null });

    // The very headers that the receiver got, but for what only the transport adds and what is masked.
    for (const [at, attempt] of attempts.entries()) {
      const got = receiver.received[at]?.headers ?? {};
      for (const [name, value] of Object.entries(attempt.request.headers))
        if (name !== "Authorization") expect([name, got[name.toLowerCase()]]).toEqual([name, value]);
      expect(attempt.request.body).toBe(receiver.received[at]?.body.toString());
      expect(attempt.request.headers["X-Event"]).toBe(event.type);
      expect(got.authorization).toBe(SECRET_HEADER);
    }
    for (const secret of [SECRET_HEADER, endpoint.secret, endpoint.secret.slice(6), "very-secret"])
      expect(text).not.toContain(secret);
  });

  it("tells of a connection that was refused, and of a body that is longer than 4 KiB", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const refused = await addEndpoint(`http://127.0.0.1:${port}/`, "Refused");

    const talker = createServer((request, response) => {
      request.resume();
      request.on("end", () => response.writeHead(400).end("x".repeat(10_000)));
    });
    await new Promise<void>((resolve) => talker.listen(0, "127.0.0.1", resolve));
    const talking = await addEndpoint(
      `http://127.0.0.1:${(talker.address() as AddressInfo).port}/`,
      "Talked",
    );
    await publish("Refused");
    await publish("Talked");
    await startWorker();

    const { attempts: failed } = await attemptsOf(refused.id, 1);
    expect(failed[0]).toMatchObject({ outcome: "retry", error_code: "connection_refused", response: null });
    expect(failed[0]?.timings_ms).toMatchObject({ first_byte: null, total: expect.any(Number) });
    const { attempts: long } = await attemptsOf(talking.id, 1);
    expect(long[0]).toMatchObject({ outcome: "permanent", error_code: "http_400", next_attempt_at: null });
    expect(long[0]?.response).toMatchObject({ status: 400, body: "x".repeat(4_096), body_truncated: true });
    talker.close();
  });

  it("tells of a try that was lost with its worker, of which nothing is known", async () => {
    const receiver = await openReceiver(({ headers, answer }) => {
      if (headers["x-attempt"] !== "1") answer(200);
    });
    const endpoint = await addEndpoint(receiver.origin, "Lost");
    await publish("Lost");
    const worker = await startWorker();
    await expect.poll(() => receiver.received.length).toBe(1);
    worker.kill("SIGKILL");
    await worker.ended;
    await startWorker();
    const { attempts } = await attemptsOf(endpoint.id, 2);
    expect(attempts[0]).toMatchObject({
      number: 1,
      outcome: "lost",
      error_code: "worker_lost",
      duration_ms: null,
      timings_ms: null,
      response: null,
      remote_address: null,
      request: { method: "POST", url: `${receiver.origin}/`, headers: {} },
    });
    expect(attempts[1]).toMatchObject({ number: 2, outcome: "ok" });
  });
});
