import { type Conn, type Db, withTransaction } from "#db/client.ts";

const BUDGET_MS = 2_000;

/** Runs a read whose every statement ends after two seconds (57014): a page costs little however it is filtered. */
export function boundedRead<T>(db: Db, read: (conn: Conn) => Promise<T>): Promise<T> {
  return withTransaction(db, async (tx) => {
    await tx.query("select set_config('statement_timeout', $1, true)", [String(BUDGET_MS)], "bound-read");
    return read(tx);
  });
}
