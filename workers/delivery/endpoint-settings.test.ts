import { createPublicKey, verify as verifySignature } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { EndpointSettings } from "#contracts/endpoints.ts";
import { verify } from "#receiver/index.ts";
import { MASKED_VALUE } from "#server/domain/endpoint-headers.ts";
import { createEndpoint } from "#server/endpoints/create-endpoint.ts";
import { revokeSecret } from "#server/endpoints/revoke-secret.ts";
import { rotateSecret } from "#server/endpoints/rotate-secret.ts";
import { toEndpoint } from "#server/endpoints/to-endpoint.ts";
import { updateEndpoint } from "#server/endpoints/update-endpoint.ts";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import { openHoldingReceiver, openReceiver, type ReceivedRequest } from "./fixtures/http-receiver.ts";
import type { TestEngine } from "./test-support.ts";
import { shownAttempts, testContext } from "./testing-context.ts";

let engine: TestEngine;
engineFor("each", (opened) => {
  engine = opened;
});

const register = (settings: Partial<EndpointSettings> & { url: string }) =>
  createEndpoint(testContext(engine), EndpointSettings.parse({ event_types: ["*"], ...settings }));
const deliverOne = async (received: readonly ReceivedRequest[]) => {
  const before = received.length;
  await engine.publish("OrderCreated");
  engine.wake();
  return eventually(() => received[before] ?? expect.fail("nothing came"));
};
const headersOf = (request: ReceivedRequest) => request.headers as Record<string, string>;
/** Deliveries that have not been given other jobs. */
const stillUnder = async (jobs: ReadonlySet<string>) =>
  (await engine.deliveries()).filter(({ jobId }) => jobs.has(jobId));
const allDelivered = (count: number) =>
  eventually(async () => expect(await engine.statuses()).toEqual({ delivered: count }));

describe("an endpoint's own headers", () => {
  it("arrive with every request, and the log shows that they were there and not what they held", async () => {
    const receiver = await openReceiver();
    const { endpoint } = await register({
      url: receiver.origin,
      headers: { Authorization: "Bearer s3cr3t", "x-team": "billing" },
    });
    await engine.startWorker();
    const request = await deliverOne(receiver.received);
    expect(request.headers).toMatchObject({ authorization: "Bearer s3cr3t", "x-team": "billing" });
    expect(request.headers["content-type"]).toBe("application/json");

    await allDelivered(1);
    const [delivery] = await engine.deliveries();
    const [attempt] = await shownAttempts(engine, delivery?.id ?? "");
    expect(attempt?.request.headers).toMatchObject({
      Authorization: MASKED_VALUE,
      "x-team": MASKED_VALUE,
      "X-Signature": request.headers["x-signature"],
    });
    for (const table of ["attempts", "deliveries", "webhook_endpoints", "audit_log", "pgboss.job"]) {
      const stored = JSON.stringify(await engine.db.query(`select t::text from ${table} t`));
      expect(stored).not.toMatch(/s3cr3t|billing/);
    }

    await updateEndpoint(
      testContext(engine),
      { id: endpoint.id, expectedVersions: null },
      { headers: { "x-team": "sales", Authorization: null } },
    );
    const next = await deliverOne(receiver.received);
    expect(next.headers["x-team"]).toBe("sales");
    expect(next.headers.authorization).toBeUndefined();
  });
});

describe("an asymmetric endpoint", () => {
  it("gets a v1a signature that its public key verifies, beside the one of its secret", async () => {
    const receiver = await openReceiver();
    const { endpoint, secret } = await register({ url: receiver.origin, asymmetric: true });
    await engine.startWorker();
    const { headers, body } = await deliverOne(receiver.received);
    const [v1, v1a, ...more] = String(headers["webhook-signature"]).split(" ");
    expect(more).toEqual([]);
    expect(v1).toMatch(/^v1,/);

    const shown = toEndpoint(endpoint);
    const x = Buffer.from(shown.public_key?.replace("whpk_", "") ?? "", "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    const signature = Buffer.from(v1a?.replace("v1a,", "") ?? "", "base64");
    expect(verifySignature(null, signed, key, signature)).toBe(true);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeDefined();
    verify({ secrets: { v1: secret }, headers: new Headers(headers as Record<string, string>), body });
  });
});

describe("a rotation under traffic", () => {
  it("leaves every delivery verifiable by who holds the old key, the new one, or both", async () => {
    const receiver = await openReceiver();
    const { endpoint, secret: first } = await register({ url: receiver.origin, max_in_flight: 4 });
    await engine.startWorker();
    let isRotating = true;
    const publishing = (async () => {
      let count = 0;
      for (; isRotating; count += 10) {
        await engine.publish("OrderCreated", 10);
        engine.wake();
      }
      return count;
    })();
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(20));
    const context = testContext(engine);
    const { secret: second } = await rotateSecret(context, endpoint.id, { overlap_seconds: 3_600 });
    const rotated = receiver.received.length;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(rotated + 30));
    isRotating = false;
    await allDelivered(await publishing);

    const keyIds = receiver.received.map((request) => String(request.headers["x-signature-key-id"]));
    expect(keyIds[0]).toBe("v1");
    expect(keyIds.at(-1)).toBe("v2");
    for (const request of receiver.received) {
      const headers = new Headers(headersOf(request));
      verify({ secrets: { v1: first, v2: second }, headers, body: request.body });
      expect(new Webhook(first).verify(request.body, headersOf(request))).toBeDefined();
      if (headers.get("x-signature-key-id") === "v2")
        expect(new Webhook(second).verify(request.body, headersOf(request))).toBeDefined();
    }
  });

  it("ends a revoked key at once, for what waits in the worker too", async () => {
    const receiver = await openHoldingReceiver();
    const { endpoint } = await register({ url: receiver.origin, max_in_flight: 1 });
    await engine.startWorker();
    await engine.publish("OrderCreated", 30);
    engine.wake();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const jobs = new Set((await engine.deliveries()).map(({ jobId }) => jobId));
    const context = testContext(engine);
    await rotateSecret(context, endpoint.id, { overlap_seconds: 3_600 });
    await revokeSecret(context, endpoint.id, "v1");
    await eventually(async () => expect(await stillUnder(jobs)).toHaveLength(1));
    receiver.letGo("answer");
    await allDelivered(30);
    const [under, ...after] = receiver.received;
    expect(under?.headers["x-signature-key-id"]).toBe("v1");
    expect(new Set(after.map(({ headers }) => headers["x-signature-key-id"]))).toEqual(new Set(["v2"]));
    for (const { headers } of after) expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });
});
