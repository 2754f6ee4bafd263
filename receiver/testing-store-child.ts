import { truncate } from "node:fs/promises";
import { fileStore } from "./file-store.ts";

// Inserts deliveries into the file of its first argument as fast as it can, and prints each id once it is stored.
// When a write fails it prints the error's code, makes room by cutting the file within a line, and stores once more.
const path = process.argv[2] ?? "";
const store = await fileStore(path);

async function insert(deliveryId: string): Promise<void> {
  const receivedAt = new Date().toISOString();
  const record = { deliveryId, eventType: "Ping", keyId: null, receivedAt, body: Buffer.alloc(300) };
  // The repeat comes while the first is being written: it may not be told "known" of what is then not stored.
  const [first, repeat] = await Promise.allSettled([1, 2].map(() => store.insert(deliveryId, record)));
  if (first?.status === "rejected" && repeat?.status === "rejected") throw first.reason;
  const as = [first, repeat].map((end) => (end?.status === "fulfilled" ? end.value : end?.status)).join("+");
  process.stdout.write(as === "stored+known" ? `${deliveryId}\n` : `${deliveryId} ${as}\n`);
}

async function insertAll(lane: string): Promise<void> {
  for (let number = 0; ; number++) await insert(`dlv_${lane}_${number}`);
}

const ends = await Promise.allSettled(["a", "b", "c"].map(insertAll));
for (const end of ends) {
  if (end.status === "rejected") process.stdout.write(`failed ${end.reason.code}\n`);
}
await truncate(path, 5000);
await insert("dlv_after");
