import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { decodeLine, encodeLine, linesOf } from "./record-line.ts";
import type { DeliveryRecord, DeliveryStore } from "./store.ts";

export type FileStore = DeliveryStore & {
  /** How many deliveries are stored. */
  readonly size: number;
  /** Every stored delivery, oldest first, read from the file. */
  records(): AsyncGenerator<DeliveryRecord>;
  /** Finishes the writes in progress and closes the file; later inserts are refused. */
  close(): Promise<void>;
};

type Waiting = { line: string; resolve: () => void; reject: (error: unknown) => void };

/**
 * Opens (or makes, mode 0600) an append-only file of deliveries, one JSON line each, flushed to the disk before an
 * insert answers; inserts that come together share a flush. The file is never rewritten: a line torn by a crash is
 * skipped and the next one starts afresh. One process per file. Delivery ids are held in memory.
 */
export async function fileStore(path: string): Promise<FileStore> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "a+", 0o600);
  try {
    return await storeOn(file, path);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function storeOn(file: FileHandle, path: string): Promise<FileStore> {
  const known = new Set<string>();
  let torn = false;
  for await (const { text, ended } of linesOf(chunksOf(file))) {
    const record = decodeLine(text);
    if (record !== null) known.add(record.deliveryId);
    torn = !ended;
  }
  // What a killed process wrote may not be on the disk yet, and from now on it counts as known.
  await file.sync();
  await syncDirectory(dirname(path));

  const append = appender(file, torn);
  const inProgress = new Map<string, Promise<void>>();
  return {
    async insert(deliveryId, record) {
      if (known.has(deliveryId)) return "known";
      const other = inProgress.get(deliveryId);
      if (other !== undefined) {
        await other;
        return "known";
      }
      const written = append.line(encodeLine(record));
      inProgress.set(deliveryId, written);
      try {
        await written;
        known.add(deliveryId);
      } finally {
        inProgress.delete(deliveryId);
      }
      return "stored";
    },
    get size() {
      return known.size;
    },
    records: () => recordsOf(file),
    close: () => append.close(),
  };
}

/** Appends lines in batches: while one batch is flushed, the next gathers. */
function appender(file: FileHandle, startsTorn: boolean) {
  let waiting: Waiting[] = [];
  let torn = startsTorn;
  let closed = false;
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile((torn ? "\n" : "") + batch.map(({ line }) => line).join(""));
        torn = false;
        await file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // Part of the batch may be in the file: the newline before the next one ends it there.
        torn = true;
        for (const { reject } of batch) reject(error);
      }
    }
    writing = null;
  }

  return {
    line(line: string): Promise<void> {
      if (closed) return Promise.reject(new Error("The delivery store is closed."));
      return new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        writing ??= writeAll();
      });
    },
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      await writing;
      await file.close();
    },
  };
}

async function* recordsOf(file: FileHandle): AsyncGenerator<DeliveryRecord> {
  const seen = new Set<string>();
  for await (const { text } of linesOf(chunksOf(file))) {
    const record = decodeLine(text);
    if (record === null || seen.has(record.deliveryId)) continue;
    seen.add(record.deliveryId);
    yield record;
  }
}

function chunksOf(file: FileHandle): AsyncIterable<Uint8Array> {
  return file.createReadStream({ start: 0, autoClose: false });
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and needs no flush of one.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
