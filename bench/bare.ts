import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { Pool } from "undici";

// The limit that deliveries are measured against: nothing but an HMAC and a POST over kept connections.
const CONNECTIONS = 100;

/** Signs and posts `total` bodies of `bodyBytes`; gives the rate per second. */
export async function bareLimit(origin: string, total: number, bodyBytes: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const key = createSecretKey(randomBytes(32));
  const body = Buffer.alloc(bodyBytes, "x");
  let started = 0;
  const loop = async () => {
    while (started < total) {
      started++;
      const signature = createHmac("sha256", key).update(body).digest("hex");
      await post(pool, body, signature);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return total / seconds;
}

function post(pool: Pool, body: Buffer, signature: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "x-signature": signature };
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
