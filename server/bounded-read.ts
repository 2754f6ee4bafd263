import { type Conn, type Db, type Tx, withTransaction } from "#db/client.ts";

/** How long one statement of a read may take. */
export const READ_BUDGET_MS = 2_000;

/** Runs a read whose every statement ends after two seconds (57014): a page costs little however it is filtered. */
export function boundedRead<T>(db: Db, read: (conn: Conn) => Promise<T>): Promise<T> {
  return withTransaction(db, async (tx) => {
    await setTimeout(tx, String(READ_BUDGET_MS));
    return read(tx);
  });
}

/** The same for a part of a transaction that does more than that. */
export async function boundStatements<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  const [before] = await tx.query<{ timeout: string }>(
    "select current_setting('statement_timeout') as timeout",
  );
  await setTimeout(tx, String(READ_BUDGET_MS));
  const result = await read();
  await setTimeout(tx, before?.timeout ?? "0");
  return result;
}

async function setTimeout(tx: Tx, value: string): Promise<void> {
  await tx.query("select set_config('statement_timeout', $1, true)", [value], "bound-read");
}
