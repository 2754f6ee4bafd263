import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { getDelivery } from "#db/queries/deliveries.ts";
import { verify } from "#receiver/index.ts";
import { replayDelivery } from "#server/deliveries/replay-delivery.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { cancelQueued } from "#workers/jobs/cancel-queued.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import type { TestEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

/** Replays a delivery as staff would from the console. */
async function replay(id: string): Promise<void> {
  const delivery = await getDelivery(engine.db, engine.tenantId, id);
  if (!delivery) throw new Error("no such delivery");
  await replayDelivery(testContext(engine), delivery);
}

describe("a delivery", () => {
  it("arrives signed: the receiver library, plain HMAC and Standard Webhooks all verify it", async () => {
    const receiver = await openReceiver();
    const { secret } = await engine.addEndpoint({ url: `${receiver.origin}/hook?x=1` });
    await engine.startWorker();
    await engine.publish("OrderCreated", 1, '{"b":1.50,"a":"\\u00e9","big":12345678901234567890}');
    engine.wake();
    const request = await eventually(() => receiver.received[0] ?? expect.fail("nothing came"));

    expect(request.path).toBe("/hook?x=1");
    expect(request.headers).toMatchObject({ "x-event": "OrderCreated", "x-attempt": "1" });
    expect(request.body.toString()).toContain('"data":{"b":1.50,"a":"\\u00e9","big":12345678901234567890}}');

    const { keyId, schemes } = verify({
      secrets: { v1: secret },
      headers: new Headers(request.headers as Record<string, string>),
      body: request.body,
    });
    expect({ keyId, schemes }).toEqual({ keyId: "v1", schemes: ["hex", "standard-webhooks"] });
    const hmac = createHmac("sha256", secret).update(request.body).digest("hex");
    expect(request.headers["x-signature"]).toBe(hmac);
    const standard = new Webhook(secret).verify(request.body, request.headers as Record<string, string>);
    expect(standard).toMatchObject({ type: "OrderCreated" });

    const [delivery] = await eventually(async () => {
      const deliveries = await engine.deliveries();
      expect(deliveries).toMatchObject([{ status: "delivered", attempts: 1, nextAttemptAt: null }]);
      return deliveries;
    });
    expect(request.headers["x-delivery"]).toBe(toId("delivery", delivery?.id ?? ""));
    expect(await engine.attempts()).toMatchObject([
      { number: 1, trigger: "schedule", outcome: "ok", errorCode: null, responseStatus: 200 },
    ]);
    await eventually(async () => expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 }));
  });

  it("is tried again at the exact time, with the same bytes, until it succeeds", async () => {
    const receiver = await openReceiver((request) =>
      request.answer(receiver.received.length < 5 ? 500 : 200),
    );
    await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker({ retryScale: 0.002 });
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1 }));

    const attempts = await engine.attempts();
    expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "retry"],
      [2, "retry"],
      [3, "retry"],
      [4, "retry"],
      [5, "ok"],
    ]);
    expect(new Set(receiver.received.map(({ body }) => body.toString("base64"))).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers["x-attempt"])).toEqual(["1", "2", "3", "4", "5"]);
    // A poll comes once a second; being on time is being faster than that, on a machine that has other things to do too.
    const lateMs = attempts
      .slice(1)
      .map(({ startedAt }, i) => +startedAt - Number(attempts[i]?.nextAttemptAt));
    expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
    expect(lateMs.toSorted((a, b) => a - b)[1]).toBeLessThan(250);
  });

  it("fails with the class `exhausted` after ten tries, and a replay goes on from there", async () => {
    const receiver = await openReceiver((request) =>
      request.answer(receiver.received.length > 10 ? 200 : 503),
    );
    await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker({ retryScale: 0.000_001 });
    await engine.publish("OrderCreated");
    engine.wake();
    const [failed] = await eventually(async () => {
      const deliveries = await engine.deliveries();
      expect(deliveries).toMatchObject([
        { status: "failed", attempts: 10, failureClass: "exhausted", failureReason: "http_503" },
      ]);
      return deliveries;
    });

    await replay(failed?.id ?? "");
    await eventually(async () =>
      expect(await engine.deliveries()).toMatchObject([
        { status: "delivered", attempts: 11, failureClass: null, failureReason: null },
      ]),
    );
    expect((await engine.attempts()).at(-1)).toMatchObject({ number: 11, trigger: "replay", outcome: "ok" });
    expect(receiver.received.at(-1)?.headers["x-attempt"]).toBe("11");
  });

  it("fails at once when the answer will never be another one", async () => {
    const receiver = await openReceiver((request) => request.answer(422));
    await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker();
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(async () =>
      expect(await engine.deliveries()).toMatchObject([
        { status: "failed", attempts: 1, failureClass: "permanent", failureReason: "http_422" },
      ]),
    );
  });

  it("fails when the endpoint's address may not be called, without a request", async () => {
    const receiver = await openReceiver();
    await engine.addEndpoint({ url: receiver.origin.replace("127.0.0.1", "10.0.0.1") });
    await engine.startWorker();
    await engine.publish("OrderCreated");
    engine.wake();
    await eventually(async () =>
      expect(await engine.deliveries()).toMatchObject([{ status: "failed", failureClass: "blocked" }]),
    );
    expect(receiver.received).toEqual([]);
  });
});

describe("an endpoint that is gone", () => {
  it("is disabled by its 410, and what is queued for it is cancelled, wherever it waits", async () => {
    const receiver = await openReceiver(({ path, answer }) => answer(path === "/gone" ? 410 : 200));
    const gone = await engine.addEndpoint({ url: `${receiver.origin}/gone`, maxInFlight: 2 });
    await engine.addEndpoint({ url: `${receiver.origin}/fine` });
    await engine.publish("OrderCreated", 1_200);
    // A retry that is due in an hour.
    const [waiting] = (await engine.deliveries())
      .filter(({ endpointId }) => endpointId === gone.id)
      .slice(-1);
    await engine.db.query(
      "update deliveries set next_attempt_at = now() + interval '1 hour', job_id = gen_random_uuid() where id = $1",
      [waiting?.id],
    );
    await engine.startWorker();
    await eventually(async () => expect((await engine.statuses()).delivered).toBe(1_200));
    await eventually(async () => expect(await cancelQueued(engine)).toBe(true));
    await eventually(async () => expect((await engine.statuses()).pending).toBeUndefined());

    const { delivered, cancelled = 0, failed = 0 } = await engine.statuses();
    expect(delivered).toBe(1_200);
    expect(cancelled + failed).toBe(1_200);
    expect(failed).toBeLessThan(100);
    const answered = (await engine.attempts()).filter(({ responseStatus }) => responseStatus === 410);
    expect(answered).toHaveLength(failed);
    expect(receiver.received.filter(({ path }) => path === "/gone")).toHaveLength(failed);
    const [endpoint] = await engine.db.query(
      "select status, disabled_reason from webhook_endpoints where id = $1",
      [gone.id],
    );
    expect(endpoint).toEqual({ status: "disabled", disabled_reason: "gone" });
    expect(await cancelQueued(engine)).toBe(false);
    await eventually(async () => expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 }));
  });

  it("gets nothing that was queued before it was disabled", async () => {
    const receiver = await openReceiver();
    const { id } = await engine.addEndpoint({ url: receiver.origin });
    await engine.publish("OrderCreated", 120);
    await engine.db.query(
      "update webhook_endpoints set status = 'disabled', version = version + 1 where id = $1",
      [id],
    );
    await engine.startWorker();
    await eventually(async () => expect(await engine.statuses()).toEqual({ cancelled: 120 }));
    expect(receiver.received).toEqual([]);
    expect(await engine.attempts()).toEqual([]);
    await eventually(async () => expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 }));
  });
});

describe("a delivery that is cancelled while its request is under way", () => {
  const cancelAll = () =>
    engine.db.query("update deliveries set status = 'cancelled', next_attempt_at = null");

  it("is delivered if it was accepted, and the log has the try", async () => {
    const receiver = await openReceiver(() => {});
    await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker();
    await engine.publish("OrderCreated");
    engine.wake();
    const request = await eventually(() => receiver.received[0] ?? expect.fail("nothing came"));
    await cancelAll();
    const [delivery] = await engine.deliveries();
    await expect(replay(delivery?.id ?? "")).rejects.toThrow("still under way");
    request.answer(200);
    await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: 1 }));
    expect(await engine.attempts()).toMatchObject([{ number: 1, outcome: "ok" }]);
  });

  it("stays cancelled if it was refused, and nobody tries again", async () => {
    const receiver = await openReceiver(() => {});
    await engine.addEndpoint({ url: receiver.origin });
    await engine.startWorker();
    await engine.publish("OrderCreated");
    engine.wake();
    const request = await eventually(() => receiver.received[0] ?? expect.fail("nothing came"));
    await cancelAll();
    request.answer(503);
    await eventually(async () => expect(await engine.leftovers()).toEqual({ claims: 0, jobs: 0 }));
    expect(await engine.deliveries()).toMatchObject([
      { status: "cancelled", attempts: 1, nextAttemptAt: null },
    ]);
    expect(await engine.attempts()).toMatchObject([{ number: 1, outcome: "retry", nextAttemptAt: null }]);
  });
});
