import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createReceiver,
  type DeliveryStore,
  memoryStore,
  type Receiver,
  type ReceiverOptions,
  type Secrets,
} from "./index.ts";
import {
  bare,
  SECRET,
  type SignedDelivery,
  signedDelivery,
  unixNow,
  withHeaders,
} from "./testing-delivery.ts";

type Answer = { status: number; result: string };
type Send = (receiver: Receiver, delivery: SignedDelivery, path?: string) => Promise<Answer>;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

function post(url: string, delivery: SignedDelivery): Request {
  return new Request(url, { method: "POST", headers: delivery.headers, body: new Uint8Array(delivery.body) });
}

async function read(response: Response): Promise<Answer> {
  const { result } = (await response.json()) as { result: string };
  return { status: response.status, result };
}

const byFetch: Send = async (receiver, delivery, path = "/hook") =>
  read(await receiver.fetch(post(`http://consumer.test${path}`, delivery)));

const byNode: Send = async (receiver, delivery, path = "/hook") => {
  const server = createServer(receiver.node).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return read(await fetch(post(`http://127.0.0.1:${port}${path}`, delivery)));
};

const failingStore: DeliveryStore = { insert: () => Promise.reject(new Error("no room")) };

function receiverWith(options: Partial<ReceiverOptions> = {}) {
  const store = memoryStore();
  const receiver = createReceiver({ secrets: { v1: SECRET }, store, ...options });
  return { receiver, stored: () => [...store.records()] };
}

describe.each([
  ["fetch", byFetch],
  ["node", byNode],
])("a delivery through receiver.%s", (_, send) => {
  it("is stored once: 202, and 200 from then on", async () => {
    const { receiver, stored } = receiverWith();
    const delivery = signedDelivery();
    expect(await send(receiver, delivery)).toEqual({ status: 202, result: "stored" });
    expect(await send(receiver, delivery)).toEqual({ status: 200, result: "known" });
    expect(stored()).toEqual([
      {
        deliveryId: "dlv_01",
        eventType: "PaymentCaptured",
        keyId: "v1",
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        body: delivery.body,
      },
    ]);
  });

  it("is stored once when it comes many times at once", async () => {
    const { receiver, stored } = receiverWith();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(receiver, signedDelivery())));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(stored()).toHaveLength(1);
  });

  it("needs no more than X-Signature, X-Delivery and X-Event", async () => {
    expect(await send(receiverWith().receiver, bare(signedDelivery()))).toEqual({
      status: 202,
      result: "stored",
    });
  });

  it("is kept byte for byte: byte order mark, invalid UTF-8, nothing at all", async () => {
    for (const bytes of [
      Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
      Buffer.from([0xff, 0x00, 0x80]),
      Buffer.alloc(0),
    ]) {
      const { receiver, stored } = receiverWith();
      expect(await send(receiver, signedDelivery({ body: bytes }))).toMatchObject({ status: 202 });
      expect(stored().map(({ body }) => Buffer.from(body))).toEqual([bytes]);
    }
  });

  it.each([
    [{ "x-signature": undefined, "webhook-signature": undefined }, 401, "missing_signature"],
    [{ "x-signature": "nonsense" }, 401, "malformed_signature"],
    [{ "x-signature": "0".repeat(64) }, 401, "wrong_signature"],
    [{ "x-signature-timestamp": String(unixNow() - 400) }, 401, "stale_timestamp"],
    [{ "x-delivery": undefined }, 400, "missing_delivery_id"],
    [{ "x-event": undefined }, 400, "missing_event_type"],
    [{ "x-event": "" }, 400, "missing_event_type"],
    [{ "x-event": "two words" }, 400, "missing_event_type"],
    [{ "x-signature": "0".repeat(64), "x-delivery": undefined }, 401, "wrong_signature"],
  ])("with %j is answered %i %s and not stored", async (changes, status, result) => {
    const { receiver, stored } = receiverWith();
    expect(await send(receiver, withHeaders(signedDelivery(), changes))).toEqual({ status, result });
    expect(stored()).toEqual([]);
  });

  it("whose signed time is older than 5 minutes is answered 401", async () => {
    const old = signedDelivery({ timestamp: unixNow() - 400 });
    const refusal = { status: 401, result: "stale_timestamp" };
    expect(await send(receiverWith().receiver, old)).toEqual(refusal);
    expect(await send(receiverWith({ toleranceSeconds: 500 }).receiver, old)).toMatchObject({ status: 202 });
  });

  it("is refused with 413 when it is larger than the limit, and taken at the limit", async () => {
    const { receiver } = receiverWith({ maxBodyBytes: 1000 });
    expect(await send(receiver, signedDelivery({ body: Buffer.alloc(1000) }))).toMatchObject({ status: 202 });
    expect(await send(receiver, signedDelivery({ body: Buffer.alloc(1001) }))).toEqual({
      status: 413,
      result: "body_too_large",
    });
    const { receiver: byDefault } = receiverWith();
    expect(await send(byDefault, signedDelivery({ body: Buffer.alloc(1024 * 1024) }))).toMatchObject({
      status: 202,
    });
    expect(await send(byDefault, signedDelivery({ body: Buffer.alloc(3_000_000) }))).toMatchObject({
      status: 413,
    });
  });

  it("is answered 500 when the store fails, so that it comes again, and told to onError", async () => {
    const onError = vi.fn();
    const { receiver } = receiverWith({ store: failingStore, onError });
    expect(await send(receiver, signedDelivery())).toEqual({ status: 500, result: "internal_error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("no room"));
  });

  it("is verified with the secrets of its path", async () => {
    const secrets = async (path: string): Promise<Secrets> => (path === "/a" ? { v1: SECRET } : {});
    const { receiver } = receiverWith({ secrets });
    expect(await send(receiver, signedDelivery(), "/a?x=1")).toMatchObject({ status: 202 });
    expect(await send(receiver, signedDelivery(), "/b")).toEqual({ status: 401, result: "unknown_key" });
  });

  it("is answered 500 when its secrets cannot be had", async () => {
    const onError = vi.fn();
    const secrets = () => Promise.reject(new Error("vault away"));
    expect(await send(receiverWith({ secrets, onError }).receiver, signedDelivery())).toMatchObject({
      status: 500,
    });
    expect(await send(receiverWith({ secrets: () => "", onError }).receiver, signedDelivery())).toMatchObject(
      {
        status: 500,
      },
    );
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it("reaches onEvent once, after it is stored, without holding up the answer", async () => {
    const { promise: forever } = Promise.withResolvers<void>();
    const onEvent = vi.fn(() => forever);
    const { receiver, stored } = receiverWith({ onEvent });
    await send(receiver, signedDelivery());
    await send(receiver, signedDelivery());
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalled(), { timeout: 20_000 });
    expect(onEvent.mock.calls).toEqual([[stored()[0]]]);
  });

  it("stays stored when onEvent throws, which onError is told", async () => {
    const onError = vi.fn();
    const onEvent = () => {
      throw new Error("no handler");
    };
    const { receiver } = receiverWith({ onEvent, onError });
    expect(await send(receiver, signedDelivery())).toMatchObject({ status: 202 });
    await vi.waitFor(() => expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("no handler")), {
      timeout: 20_000,
    });
  });
});

describe("createReceiver", () => {
  it("throws a TypeError for an empty secret before any delivery comes", () => {
    expect(() => receiverWith({ secrets: { v1: "" } })).toThrow(TypeError);
  });
});

describe("memoryStore", () => {
  it("forgets the oldest beyond its bound", async () => {
    const store = memoryStore({ maxRecords: 2 });
    const insert = (deliveryId: string) =>
      store.insert(deliveryId, {
        deliveryId,
        eventType: "Ping",
        keyId: null,
        receivedAt: "",
        body: new Uint8Array(),
      });
    for (const id of ["a", "b", "c"]) expect(await insert(id)).toBe("stored");
    expect([...store.records()].map(({ deliveryId }) => deliveryId)).toEqual(["b", "c"]);
    expect(await insert("c")).toBe("known");
    expect(await insert("a")).toBe("stored");
  });
});
