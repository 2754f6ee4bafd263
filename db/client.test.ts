import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { connect, type Db, type Tx, withSavepoint, withTransaction } from "./client.ts";
import { isConnectionError, isPassing, sqlState } from "./database-errors.ts";

let database: TestDatabase;
let db: Db;
/** Ends the connections of everybody else. */
let admin: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "client-test", maxConnections: 8 });
  admin = connect(database.url, { name: "admin", maxConnections: 1 });
  await db.query("create table notes (id int primary key)");
  await db.query("create table counters (id int primary key, value int not null)");
});
afterAll(async () => {
  await db?.close();
  await admin?.close();
  await database?.drop();
});

const notes = async () =>
  (await db.query<{ id: number }>("select id from notes order by id")).map(({ id }) => id);
const note = (conn: { query: Db["query"] }, id: number) => conn.query("insert into notes values ($1)", [id]);
const terminate = () =>
  admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

describe("a transaction", () => {
  it("is committed as a whole, and its hooks run only then", async () => {
    const seen: string[] = [];
    await withTransaction(db, async (tx) => {
      tx.afterCommit(() => seen.push("hook"));
      await note(tx, 1);
      seen.push("work");
    });
    expect(seen).toEqual(["work", "hook"]);
    expect(await notes()).toEqual([1]);
  });

  it("is rolled back when its work throws, and its hooks never run", async () => {
    const hook = vi.fn();
    const failing = withTransaction(db, async (tx) => {
      tx.afterCommit(hook);
      await note(tx, 2);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(hook).not.toHaveBeenCalled();
    expect(await notes()).toEqual([1]);
  });

  it("fails when the error of a statement was swallowed, for then COMMIT rolls back", async () => {
    const hook = vi.fn();
    const failing = withTransaction(db, async (tx) => {
      tx.afterCommit(hook);
      await note(tx, 3);
      await note(tx, 3).catch(() => {});
    });
    await expect(failing).rejects.toThrow("swallowed");
    expect(hook).not.toHaveBeenCalled();
    expect(await notes()).toEqual([1]);
  });

  it("fails when the constraint that is checked at COMMIT is broken", async () => {
    await db.query(
      "create table pairs (id int primary key, other int references pairs deferrable initially deferred)",
    );
    const failing = withTransaction(db, (tx) => tx.query("insert into pairs values (1, 2)"));
    await expect(failing).rejects.toSatisfy((error) => sqlState(error) === "23503");
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  it("commits behind its last statements, and nothing of it when one of them fails", async () => {
    const hook = vi.fn();
    const both = (first: number, second: number) =>
      withTransaction(
        db,
        async (tx) => {
          tx.afterCommit(hook);
          await tx.query("select 1");
          await tx.sendLast(() => Promise.all([note(tx, first), note(tx, second)]));
        },
        { sendsFirst: true },
      );
    const failing = both(4, 1);
    await expect(failing).rejects.toSatisfy((error) => sqlState(error) === "23505");
    expect(hook).not.toHaveBeenCalled();
    expect(await notes()).toEqual([1]);
    await both(5, 6);
    expect(hook).toHaveBeenCalledTimes(1);
    expect(await notes()).toEqual([1, 5, 6]);
    await db.query("delete from notes where id > 1");
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  it("commits the last statements of a savepoint with what is around it", async () => {
    const failing = withTransaction(db, async (tx) => {
      await withSavepoint(tx, (inner) => inner.sendLast(() => note(inner, 7)));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await notes()).toEqual([1]);
  });

  it("has a statement follow COMMIT, which counts for nothing in what becomes of it", async () => {
    const behind = (id: number, work: (tx: Tx) => Promise<unknown>) =>
      withTransaction(db, async (tx) => {
        tx.sendBehind("insert into notes values ($1)", [id], "behind");
        await work(tx);
      });
    await behind(10, (tx) => note(tx, 8));
    await behind(8, (tx) => tx.sendLast(() => note(tx, 9)));
    await expect(behind(11, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await eventually(async () => expect(await notes()).toEqual([1, 8, 9, 10]));
    await db.query("delete from notes where id > 1");
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  it("leaves no client behind when BEGIN fails", async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 8 }, () => db.query("select 1")));
      await terminate();
      await Promise.allSettled(
        Array.from({ length: 8 }, () => withTransaction(db, (tx) => tx.query("select 1"))),
      );
    }
    await eventually(() => expect(db.pool.totalCount).toBe(db.pool.idleCount));
  });
});

describe("a savepoint", () => {
  it("undoes what failed inside it, and the transaction goes on", async () => {
    const kept = vi.fn();
    const dropped = vi.fn();
    await withTransaction(db, async (tx) => {
      await note(tx, 10);
      await withSavepoint(tx, async (inner) => {
        inner.afterCommit(kept);
        await note(inner, 11);
      });
      const failing = withSavepoint(tx, async (inner) => {
        inner.afterCommit(dropped);
        await note(inner, 12);
        await note(inner, 12);
      });
      await expect(failing).rejects.toSatisfy((error) => sqlState(error) === "23505");
      await note(tx, 13);
    });
    expect(await notes()).toEqual([1, 10, 11, 13]);
    expect(kept).toHaveBeenCalledOnce();
    expect(dropped).not.toHaveBeenCalled();
  });

  it("undoes all of itself although another one inside it has failed before", async () => {
    await withTransaction(db, async (tx) => {
      const outer = withSavepoint(tx, async (middle) => {
        await note(middle, 20);
        await withSavepoint(middle, (inner) => note(inner, 20)).catch(() => {});
        await note(middle, 21);
        throw new Error("outer");
      });
      await expect(outer).rejects.toThrow("outer");
      await note(tx, 22);
    });
    expect(await notes()).toEqual([1, 10, 11, 13, 22]);
  });
});

describe("what an error means", () => {
  it("tells a database that is away from a statement that is wrong", async () => {
    const away = connect("postgres://nobody@127.0.0.1:1/none", { name: "away" });
    await expect(away.query("select 1")).rejects.toSatisfy(isConnectionError);
    await away.close();
    await expect(db.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toSatisfy(
      isConnectionError,
    );

    const wrong = await db.query("select 1 from nowhere").catch((error: unknown) => error);
    expect(isConnectionError(wrong)).toBe(false);
    expect(isPassing(wrong)).toBe(false);
    expect(sqlState(wrong)).toBe("42P01");
    expect(sqlState(new Error("wrapped", { cause: wrong }))).toBe("42P01");
    expect(sqlState(new Error("ours"))).toBeUndefined();
  });

  it("knows what passes by itself: a deadlock, a timeout", async () => {
    await db.query("insert into counters values (1, 0), (2, 0)");
    const bump = (tx: Db | { query: Db["query"] }, id: number) =>
      tx.query("update counters set value = value + 1 where id = $1", [id]);
    const both = { 1: Promise.withResolvers<void>(), 2: Promise.withResolvers<void>() };
    const cross = (first: 1 | 2, second: 1 | 2) =>
      withTransaction(db, async (tx) => {
        await bump(tx, first);
        both[first].resolve();
        await both[second].promise;
        await bump(tx, second);
      });
    const outcomes = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
    const [deadlock] = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(sqlState(deadlock)).toBe("40P01");
    expect(isPassing(deadlock)).toBe(true);
    expect(isConnectionError(deadlock)).toBe(false);

    const timeout = await withTransaction(db, async (tx) => {
      await tx.query("set local statement_timeout = 10");
      await tx.query("select pg_sleep(5)");
    }).catch((error: unknown) => error);
    expect(isPassing(timeout)).toBe(true);
  });
});
