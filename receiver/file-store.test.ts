import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DeliveryRecord, fileStore } from "./index.ts";

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "file-store-"));
  path = join(directory, "data", "deliveries.jsonl");
});
afterEach(() => rm(directory, { recursive: true }));

function record(deliveryId: string, body: Uint8Array = Buffer.from("{}")): DeliveryRecord {
  return { deliveryId, eventType: "Ping", keyId: "v1", receivedAt: "2026-01-02T03:04:05.678Z", body };
}

async function storedIds(): Promise<string[]> {
  const store = await fileStore(path);
  const records = await collect(store.records());
  await store.close();
  return records.map(({ deliveryId }) => deliveryId);
}

describe("fileStore", () => {
  it("stores a delivery once, in this process and in the next", async () => {
    const first = await fileStore(path);
    expect(await first.insert("dlv_1", record("dlv_1"))).toBe("stored");
    expect(await first.insert("dlv_1", record("dlv_1"))).toBe("known");
    expect(await first.insert("dlv_2", record("dlv_2"))).toBe("stored");
    expect(first.size).toBe(2);
    await first.close();

    const second = await fileStore(path);
    expect(second.size).toBe(2);
    expect(await second.insert("dlv_2", record("dlv_2"))).toBe("known");
    expect(await second.insert("dlv_3", record("dlv_3"))).toBe("stored");
    await second.close();
    expect(await storedIds()).toEqual(["dlv_1", "dlv_2", "dlv_3"]);
  });

  it("gives back every byte of a body", async () => {
    const store = await fileStore(path);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const stored = record("dlv_1", bytes);
    await store.insert("dlv_1", stored);
    const [read] = await collect(store.records());
    expect(read).toEqual(stored);
    await store.close();
  });

  it("lets one of many inserts at once store, and the file hold one line", async () => {
    const store = await fileStore(path);
    const results = await Promise.all(
      Array.from({ length: 50 }, () => store.insert("dlv_1", record("dlv_1"))),
    );
    await store.close();
    expect(results.filter((result) => result === "stored")).toHaveLength(1);
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(2);
  });

  it("finishes what is in progress when it closes, then refuses", async () => {
    const store = await fileStore(path);
    const inserts = Array.from({ length: 100 }, (_, index) =>
      store.insert(`dlv_${index}`, record(`dlv_${index}`)),
    );
    await store.close();
    expect(await Promise.all(inserts)).toEqual(Array.from({ length: 100 }, () => "stored"));
    await expect(store.insert("dlv_x", record("dlv_x"))).rejects.toThrow("closed");
    expect(await storedIds()).toHaveLength(100);
  });

  it("keeps all whole lines wherever the last one is torn, and goes on after it", async () => {
    const store = await fileStore(path);
    await store.insert("dlv_1", record("dlv_1"));
    const { size } = await stat(path);
    await store.insert("dlv_2", record("dlv_2"));
    await store.close();
    const whole = await readFile(path);

    for (let length = size; length < whole.length; length++) {
      await writeFile(path, whole.subarray(0, length));
      const reopened = await fileStore(path);
      // Only the newline is missing from the last of these: that line is whole.
      expect(await reopened.insert("dlv_2", record("dlv_2"))).toBe(
        length === whole.length - 1 ? "known" : "stored",
      );
      await reopened.insert("dlv_3", record("dlv_3"));
      await reopened.close();
      expect(await storedIds()).toEqual(["dlv_1", "dlv_2", "dlv_3"]);
    }
  });

  it("skips lines that are no records", async () => {
    const store = await fileStore(path);
    await store.insert("dlv_1", record("dlv_1"));
    await store.close();
    await appendFile(
      path,
      Buffer.concat([Buffer.alloc(20), Buffer.from('\n{"deliveryId":"dlv_2"}\nnull\n[]\n\n\xff\n')]),
    );
    const reopened = await fileStore(path);
    await reopened.insert("dlv_3", record("dlv_3"));
    await reopened.close();
    expect(await storedIds()).toEqual(["dlv_1", "dlv_3"]);
  });

  it("shows a delivery once though its line is there twice", async () => {
    const store = await fileStore(path);
    await store.insert("dlv_1", record("dlv_1"));
    await store.close();
    await appendFile(path, await readFile(path));
    expect(await storedIds()).toEqual(["dlv_1"]);
  });

  it("keeps the file to its owner", async () => {
    await (await fileStore(path)).close();
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it("rejects when its path is no file", async () => {
    await expect(fileStore(directory)).rejects.toThrow("EISDIR");
  });

  it("has every delivery that it acknowledged after kill -9", async () => {
    const { child, lines } = startChild(process.execPath, []);
    const acknowledged: string[] = [];
    for await (const line of lines) {
      acknowledged.push(line);
      if (acknowledged.length === 200) child.kill("SIGKILL");
    }
    // What came after the 200th was acknowledged before the kill took effect.
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    const ids = await storedIds();
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("refuses what the disk refuses, and goes on when there is room again", async () => {
    const { lines } = startChild("sh", ["-c", `ulimit -f 20; exec "$0" "$@"`, process.execPath]);
    const printed = await collect(lines);
    expect(printed.slice(-4)).toEqual(["failed EFBIG", "failed EFBIG", "failed EFBIG", "dlv_after"]);
    expect(printed.length).toBeGreaterThan(4);
    expect(await storedIds()).toContain("dlv_after");
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A process that inserts into `path` and prints what was stored. */
function startChild(command: string, args: readonly string[]) {
  const script = join(import.meta.dirname, "testing-store-child.ts");
  const child = spawn(command, [...args, script, path], { stdio: ["ignore", "pipe", "inherit"] });
  return { child, lines: createInterface({ input: child.stdout }) };
}
