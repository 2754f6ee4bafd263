import { randomBytes } from "node:crypto";
import { Pool } from "undici";
import { uuidv7 } from "uuidv7";
import { requestHeaders } from "#server/deliveries/request-headers.ts";
import { newSecret, signDelivery, signingKey } from "#server/domain/signing.ts";

// The limit that deliveries are measured against: the same requests, signed and posted over kept connections, and
// nothing else. No queue, no log, no deadline, no look at the address or the answer.
const CONNECTIONS = 100;

/** Signs and posts `total` bodies of `bodyBytes`; gives the rate per second. */
export async function bareLimit(origin: string, total: number, bodyBytes: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const sign = signer();
  const body = Buffer.alloc(bodyBytes, "x");
  let started = 0;
  const loop = async () => {
    while (started < total) {
      started++;
      await post(pool, body, sign(body));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return total / seconds;
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

process.on(
  "message",
  async ({ origin, total, bodyBytes }: { origin: string; total: number; bodyBytes: number }) => {
    process.send?.({ rate: await bareLimit(origin, total, bodyBytes) });
  },
);
process.on("disconnect", () => process.exit());
