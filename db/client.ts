import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { isConnectionError } from "./database-errors.ts";

/** The query builder without `transaction`: drizzle's own leaks its client when BEGIN fails (see docs/decisions.md). */
type Orm = Omit<NodePgDatabase, "transaction">;

type Row = Record<string, unknown>;

/** Where queries run: the pool, or one open transaction. */
export interface Conn {
  readonly orm: Orm;
  /** One parameterised statement; gives its rows. With `name` it is prepared once per connection. */
  query<R extends Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

/** A transaction that is open. Statements that do not wait for each other are sent together, and run in their order. */
export interface Tx extends Conn {
  /**
   * Stands for the database as this process knows it: what was committed under it is there. Each connection that is
   * opened begins another one, since it may lead to a copy that lacks the last commits.
   */
  readonly era: object;
  /** Runs `hook` after COMMIT has succeeded, never after a rollback. Hooks must not throw. */
  afterCommit(hook: () => void): void;
  /**
   * Has a statement follow COMMIT on its heels, as a transaction of its own and whatever became of this one: it must do no
   * harm then. Nobody waits for it, and its failure is of no account.
   */
  sendBehind(text: string, values: readonly unknown[], name: string): void;
  /**
   * Sends the last statements: `send` must send all of them before it returns. COMMIT follows without waiting for their
   * answers, which takes a round trip less, and locks are held for that much less. Should one fail, nothing is committed.
   */
  sendLast<T>(send: () => Promise<T>): Promise<T>;
}

export interface TransactionOptions {
  /**
   * The first statement, which `work` awaits, is sent together with BEGIN. Should BEGIN alone fail, which takes a cancel
   * at that very moment, that statement is a transaction by itself: it must do no harm then.
   */
  sendsFirst?: boolean;
}

/** A pool of connections to one database. Transactions are opened by `withTransaction` and by nothing else. */
export interface Db extends Conn {
  readonly pool: pg.Pool;
  /** The `era` of a transaction that begins now. */
  era(): object;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections?: number;
  /** Ends a statement on the server; default 30,000. */
  statementTimeoutMs?: number;
  /** Plans every join by index, whatever the statistics say: those of tables that fill and empty in minutes are stale. */
  joinByIndex?: boolean;
  /** Told of connections that the server ended while they were idle. */
  onError?: (error: Error) => void;
}

// Seven digits of microseconds do not fit a Date, and a bigint no number: both stay text, and the mapping is explicit.
const TYPES = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as unknown as pg.CustomTypesConfig;

// No other way to join is left but a look-up by key for each row. Generic plans, because planning over a month of
// partitions costs more than running what is planned.
const JOIN_BY_INDEX = ["hashjoin", "mergejoin", "seqscan", "material", "memoize"]
  .map((way) => `-c enable_${way}=off`)
  .concat("-c plan_cache_mode=force_generic_plan")
  .join(" ");
// No statement of ours reads so much that compiling it first would pay: it takes 50 ms and more.
const NO_JIT = "-c jit=off";

// Some statements are prepared for the partitions of a day, by each connection: they go with it.
const MAX_LIFETIME_SECONDS = 86_400;

/** Opens a pool. Nothing is connected until the first query. */
export function connect(url: string, options: ConnectOptions): Db {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `posthorn-${options.name}`,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    // A cut connection answers nothing at all; without this its query would wait for TCP to give up.
    query_timeout: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    pipeline: true,
    options: options.joinByIndex ? `${NO_JIT} ${JOIN_BY_INDEX}` : NO_JIT,
    types: TYPES,
  });
  const ignore = () => {};
  pool.on("error", options.onError ?? ignore);
  // The pool listens only while a client is idle; a backend that dies mid-query also emits on the client itself.
  let era = {};
  pool.on("connect", (client) => {
    client.on("error", ignore);
    era = {};
  });
  return { ...conn(pool), pool, era: () => era, close: () => pool.end() };
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits what it did; rolls back when it throws.
 * A connection in doubt is destroyed and never goes back to the pool.
 */
export async function withTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { sendsFirst = false }: TransactionOptions = {},
): Promise<T> {
  const client = await db.pool.connect();
  const hooks: (() => void)[] = [];
  let commit: Promise<pg.QueryResult> | undefined;
  const behind: (() => Promise<unknown>)[] = [];
  const sendCommit = () => {
    const committed = client.query("commit");
    for (const send of behind) send().catch(() => {});
    return committed;
  };
  const tx: Tx = {
    ...conn(client),
    era: db.era(),
    afterCommit: (hook) => hooks.push(hook),
    sendBehind: (text, values, name) => behind.push(() => tx.query(text, values, name)),
    async sendLast(send) {
      together(client);
      const answers = send();
      commit = sendCommit();
      // Of what failed, the statement tells more.
      commit.catch(() => {});
      return answers;
    },
  };
  let result: T;
  try {
    together(client);
    const begun = client.query("begin");
    if (sendsFirst) begun.catch(() => {});
    else await begun;
    result = await work(sendsFirst ? after(begun, tx) : tx);
    const { command } = await (commit ?? sendCommit());
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== "COMMIT")
      throw new Error("rolled back: a statement had failed and its error was swallowed");
  } catch (error) {
    const broken = isConnectionError(error) || !(await rolledBack(client));
    client.release(broken);
    throw error;
  }
  client.release();
  for (const hook of hooks) hook();
  return result;
}

/**
 * Runs `work` inside a savepoint of `tx`: when it throws, what it wrote is undone and `tx` goes on.
 * Hooks that `work` left for after the commit are dropped with it.
 */
export async function withSavepoint<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const hooks: (() => void)[] = [];
  await tx.query("savepoint attempt");
  try {
    const afterCommit = (hook: () => void) => hooks.push(hook);
    const result = await work({ ...tx, afterCommit, sendLast: (send) => send() });
    await tx.query("release savepoint attempt");
    for (const hook of hooks) tx.afterCommit(hook);
    return result;
  } catch (error) {
    // Released too: what stays would hide a savepoint of the same name around this one.
    if (!isConnectionError(error)) await tx.query("rollback to savepoint attempt; release savepoint attempt");
    throw error;
  }
}

/** What is sent on a connection before this turn ends goes out at once: each write by itself would wake the server. */
function together({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** No answer counts before BEGIN has had its own: what comes after the first statement is sent within the transaction. */
function after(begun: Promise<unknown>, tx: Tx): Tx {
  return {
    ...tx,
    async query<R extends Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]> {
      const [rows] = await Promise.all([tx.query<R>(text, values, name), begun]);
      return rows;
    },
  };
}

function conn(client: pg.Pool | pg.PoolClient): Conn {
  return {
    orm: drizzle(client as pg.Pool),
    async query<R extends Row>(text: string, values?: readonly unknown[], name?: string): Promise<R[]> {
      const result = await client.query<R>({ text, values: values as unknown[], ...(name ? { name } : {}) });
      // A text of several statements has a result for each.
      return Array.isArray(result)
        ? (result as pg.QueryResult<R>[]).flatMap(({ rows }) => rows)
        : result.rows;
    },
  };
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
