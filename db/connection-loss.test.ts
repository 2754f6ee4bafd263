import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { connect, type Db, withTransaction } from "./client.ts";
import { isConnectionError } from "./database-errors.ts";
import { openSession } from "./session.ts";

let database: TestDatabase;
let db: Db;
let admin: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { name: "loss-test", maxConnections: 4 });
  admin = connect(database.url, { name: "admin", maxConnections: 1 });
  await db.query("create table counters (id int primary key, value int not null)");
});
afterAll(async () => {
  await db?.close();
  await admin?.close();
  await database?.drop();
});

/** Ends the connections of everybody else. */
const terminate = () =>
  admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

it("loses nothing but what was under way when every connection is cut, 60 times under load", async () => {
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  await db.query("create table entries (id int primary key)");
  await db.query("insert into counters values (0, 0)");

  let goesOn = true;
  let nextId = 0;
  let inDoubt = 0;
  const acknowledged: number[] = [];
  const turns: number[] = [];
  const loop = async (turn: () => Promise<void>) => {
    const mine = turns.push(0) - 1;
    while (goesOn) {
      await turn().catch((error: unknown) => {
        if (!isConnectionError(error)) throw error;
      });
      turns[mine] = (turns[mine] ?? 0) + 1;
    }
  };
  const count = async () => {
    const id = nextId++;
    let atCommit = false;
    try {
      await withTransaction(db, async (tx) => {
        await tx.query("insert into entries values ($1)", [id]);
        await tx.query("update counters set value = value + 1 where id = 0");
        atCommit = true;
      });
      acknowledged.push(id);
    } catch (error) {
      if (atCommit) inDoubt++;
      throw error;
    }
  };
  const listen = async () => {
    const session = await openSession(database.url, "listen-test");
    await session.listen("posthorn_test", () => {}).catch(() => {});
    await session.ended;
  };
  const running = [
    ...Array.from({ length: 3 }, () => loop(count)),
    ...Array.from({ length: 4 }, () =>
      loop(async () => void (await db.query("select count(*) from entries"))),
    ),
    loop(listen),
  ];
  for (let round = 0; round < 60; round++) {
    const before = [...turns];
    // Every loop but that which listens, which ends a turn when it is cut.
    const haveTurned = () => turns.slice(0, -1).every((turn, i) => turn > (before[i] ?? 0));
    await eventually(() => expect(haveTurned()).toBe(true));
    await terminate();
  }
  goesOn = false;
  let isOver = false;
  const over = Promise.all(running).then(() => {
    isOver = true;
  });
  // A session that listens ends only when it is cut.
  await eventually(async () => {
    await terminate();
    expect(isOver).toBe(true);
  });
  await over;
  process.off("uncaughtException", onUncaught);
  process.off("unhandledRejection", onUncaught);

  expect(uncaught).toEqual([]);
  expect(turns.at(-1)).toBeGreaterThanOrEqual(30);
  // The pool hears of the last cut a moment after the server made it; until then a query may still meet a dead connection.
  await eventually(() => Promise.all(Array.from({ length: 4 }, () => db.query("select 1"))));
  const stored = new Set((await db.query<{ id: number }>("select id from entries")).map(({ id }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.size).toBeLessThanOrEqual(acknowledged.length + inDoubt);
  const [counter] = await db.query<{ value: number }>("select value from counters where id = 0");
  expect(counter?.value).toBe(stored.size);

  expect(db.pool.waitingCount).toBe(0);
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  const clients = await Promise.all(Array.from({ length: 4 }, () => db.pool.connect()));
  for (const client of clients) client.release();
});
