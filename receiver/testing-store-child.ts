import { truncate } from "node:fs/promises";
import { fileStore } from "./file-store.ts";

// Inserts deliveries into the file of its first argument as fast as it can, and prints each id once it is stored.
// When a write fails it prints the error's code, makes room by cutting the file within a line, and stores once more.
const path = process.argv[2] ?? "";
const store = await fileStore(path);

async function insert(deliveryId: string): Promise<void> {
  const receivedAt = new Date().toISOString();
  const record = { deliveryId, eventType: "Ping", keyId: null, receivedAt, body: Buffer.alloc(300) };
  await store.insert(deliveryId, record);
  process.stdout.write(`${deliveryId}\n`);
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
