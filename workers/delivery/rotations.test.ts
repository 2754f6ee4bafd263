import { createPublicKey, verify as verifySignature } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { EndpointSettings } from "#contracts/endpoints.ts";
import { verify } from "#receiver/index.ts";
import { createEndpoint } from "#server/endpoints/create-endpoint.ts";
import { rotateSecret } from "#server/endpoints/rotate-secret.ts";
import { createTestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { openReceiver, type ReceivedRequest } from "./fixtures/http-receiver.ts";
import { expectNothingLeft, openEngine } from "./test-support.ts";
import { testContext } from "./testing-context.ts";

const ROTATIONS = 5;
const OVERLAP_SECONDS = 3;
/** A new key is signed with from when a worker has heard of it; an old one is sent up to a second after it has expired. */
const MARGIN_MS = 1_000;

/** What a consumer has of a key, and from when to when it is valid. */
interface HeldKey {
  secret: string;
  from: number;
  until: number;
}

it("leaves every request verifiable while keys are made and expire all the time, under load", async ({
  onTestFinished,
}) => {
  const database = await createTestDatabase();
  const engine = await openEngine(database.url);
  onTestFinished(async () => {
    await engine.close();
    await database.drop();
  });
  const keys = new Map<string, HeldKey>();
  const refused: unknown[] = [];
  const publicKey = { current: "" };

  /** As a consumer does that has been told every key in time, and forgets those that have expired. */
  const check = ({ headers: fields, body }: ReceivedRequest) => {
    const now = Date.now();
    const headers = fields as Record<string, string>;
    const held = [...keys].filter(([, { until }]) => now < until + MARGIN_MS);
    const secrets = Object.fromEntries(held.map(([kid, { secret }]) => [kid, secret]));
    verify({ secrets, headers: new Headers(headers), body });
    for (const [, { secret, from, until }] of held)
      if (now > from + MARGIN_MS && now < until - MARGIN_MS) new Webhook(secret).verify(body, headers);
    const v1a = /v1a,(\S+)/.exec(headers["webhook-signature"] ?? "")?.[1] ?? "";
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey.current }, format: "jwk" });
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    if (!verifySignature(null, signed, key, Buffer.from(v1a, "base64"))) throw new Error("v1a is wrong");
  };
  const receiver = await openReceiver((request) => {
    try {
      check(request);
      request.answer(200);
    } catch (error) {
      refused.push(error, request.headers);
      request.answer(401);
    }
  });

  const context = testContext(engine);
  const settings = EndpointSettings.parse({ url: receiver.origin, event_types: ["*"], asymmetric: true });
  const { endpoint, secret } = await createEndpoint(context, settings);
  publicKey.current = Buffer.from(endpoint.publicKey?.replace("whpk_", "") ?? "", "base64").toString(
    "base64url",
  );
  keys.set("v1", { secret, from: 0, until: Number.POSITIVE_INFINITY });
  await engine.startWorker();
  await engine.startWorker();

  let isRotating = true;
  const publishing = (async () => {
    let count = 0;
    for (; isRotating; count += 10) {
      await engine.publish("OrderCreated", 10);
      engine.wake();
      await delay(20);
    }
    return count;
  })();
  for (let n = 1; n <= ROTATIONS; n++) {
    const seen = receiver.received.length;
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(seen + 20));
    const current = keys.get(`v${n}`);
    // Five keys are valid at most: the oldest has to expire before the next is made.
    const rotated = await eventually(() =>
      rotateSecret(context, endpoint.id, { overlap_seconds: OVERLAP_SECONDS }),
    );
    const now = Date.now();
    if (current) current.until = now + OVERLAP_SECONDS * 1000;
    keys.set(`v${n + 1}`, { secret: rotated.secret, from: now, until: Number.POSITIVE_INFINITY });
  }
  await eventually(() => {
    const last = receiver.received.at(-1)?.headers;
    expect(last?.["x-signature-key-id"]).toBe(`v${ROTATIONS + 1}`);
    // All earlier keys have ended: one signature of the secret that is left, and that of the key pair.
    expect(String(last?.["webhook-signature"]).split(" ")).toHaveLength(2);
  });
  isRotating = false;
  const count = await publishing;
  await eventually(async () => expect(await engine.statuses()).toEqual({ delivered: count }));
  expect(refused).toEqual([]);
  expect(await engine.attempts()).toHaveLength(count);
  const named = new Set(receiver.received.map(({ headers }) => headers["x-signature-key-id"]));
  expect(named.size).toBe(ROTATIONS + 1);
  await expectNothingLeft(engine);
});
