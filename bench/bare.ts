import { randomBytes } from "node:crypto";
import { Pool } from "undici";
import { uuidv7 } from "uuidv7";
import { requestHeaders } from "#server/deliveries/request-headers.ts";
import { addressPolicy } from "#server/domain/address-policy.ts";
import { newSecret, signDelivery, signingKey } from "#server/domain/signing.ts";
import { createSender } from "#workers/delivery/sender.ts";

// The limit that deliveries are measured against: the same requests, signed and posted over kept connections, and
// nothing else. No queue, no log, no deadline, no look at the address or the answer.
const CONNECTIONS = 100;

export interface BareRequests {
  origin: string;
  total: number;
  bodyBytes: number;
  /** Who sends: undici, which is the limit, or the sender that deliveries go through, to tell what it takes by itself. */
  by: "undici" | "sender";
}

/** Signs and posts bodies; gives the rate per second. */
async function bareRate({ origin, total, bodyBytes, by }: BareRequests): Promise<number> {
  const client = by === "undici" ? undiciClient(origin) : senderClient(origin);
  const sign = signer();
  const body = Buffer.alloc(bodyBytes, "x");
  let started = 0;
  const loop = async () => {
    while (started < total) {
      started++;
      await client.post(body, sign(body));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const seconds = (performance.now() - began) / 1000;
  await client.close();
  return total / seconds;
}

interface Client {
  post(body: Buffer, headers: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

function undiciClient(origin: string): Client {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  return { post: (body, headers) => post(pool, body, headers), close: () => pool.close() };
}

function senderClient(origin: string): Client {
  const sender = createSender({ policy: addressPolicy({ allow: ["127.0.0.0/8"] }) });
  return {
    async post(body, headers) {
      const { status } = await sender.send({ url: `${origin}/`, headers, body, timeoutMs: 10_000 });
      if (status !== 200) throw new Error(`POST ${origin}: ${status}`);
    },
    close: () => sender.close(),
  };
}

/** Gives a function that makes the headers of a delivery, its two signatures among them. */
function signer(): (body: Buffer) => Record<string, string> {
  const key = signingKey({ kid: "v1", value: newSecret(randomBytes) });
  const id = uuidv7();
  const subject = { deliveryId: id, eventType: "Bench0", attempt: 1 };
  const traceparent = `00-${id.replaceAll("-", "")}-0000000000000001-01`;
  return (body) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const signatures = signDelivery({ format: "hex", keys: [key], deliveryId: id, timestamp, body });
    return requestHeaders(subject, { ...signatures, version: "0", timestamp, traceparent });
  };
}

function post(pool: Pool, body: Buffer, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path: "/", method: "POST", body, headers },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

process.on("message", async (requests: BareRequests) => {
  process.send?.({ rate: await bareRate(requests) });
});
process.on("disconnect", () => process.exit());
