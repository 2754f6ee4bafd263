import { execFile } from "node:child_process";
import { appendFile, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "#db/client.ts";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";
import { eventually } from "#tests/eventually.ts";
import { openDatabaseProxy } from "./fixtures/database-proxy.ts";
import { openReceiver } from "./fixtures/http-receiver.ts";
import { expectNothingLeft, expectWholeLog, openEngine } from "./test-support.ts";

/** One statement on a connection of its own. */
async function ask<T extends Record<string, unknown>>(url: string, text: string): Promise<T[]> {
  const db = connect(url, { name: "failover-test", maxConnections: 1 });
  try {
    return await db.query<T>(text);
  } finally {
    await db.close();
  }
}

/** With owners: PostgreSQL runs as another user than root. */
const copy = (from: string, to: string) => promisify(execFile)("cp", ["-a", from, to]);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-failover-"));
  await chmod(folder, 0o755);
  return folder;
}

async function start(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return server;
}

/** A migrated primary and its standby, which has every commit before it is acknowledged. */
async function openPair(): Promise<{ primary: string; standby: string; killPrimary(): Promise<void> }> {
  const [primaryDir, standbyDir] = [await newFolder(), await newFolder()];
  const first = await startEmbeddedPostgres({ dataDir: primaryDir });
  await migrateDatabase(first.url);
  await first.stop();
  await copy(join(primaryDir, "postgres"), join(standbyDir, "postgres"));
  const { url: primary } = await start(primaryDir);

  const { hostname, port, username, password } = new URL(primary);
  const cluster = join(standbyDir, "postgres", "data");
  await copy(join(cluster, "PG_VERSION"), join(cluster, "standby.signal"));
  await appendFile(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  const { url: standby } = await start(standbyDir);
  await ask(primary, "alter system set synchronous_standby_names = '*'");
  await ask(primary, "select pg_reload_conf()");
  await eventually(async () => {
    const [row] = await ask(primary, "select sync_state from pg_stat_replication");
    expect(row?.sync_state).toBe("sync");
  });
  const [file] = await ask<{ text: string }>(primary, "select pg_read_file('postmaster.pid') as text");
  const pid = Number(file?.text.split("\n", 1)[0]);
  return {
    primary,
    standby,
    async killPrimary() {
      // It leads a group of its own: all of it dies at once, as a machine does.
      process.kill(-pid, "SIGKILL");
    },
  };
}

it("loses nothing that was acknowledged when the database fails over to its standby", async () => {
  const { primary, standby, killPrimary } = await openPair();
  const proxy = await openDatabaseProxy(primary);
  const engine = await openEngine(proxy.url);
  onTestFinished(() => engine.close());
  const arrived = new Set<number>();
  const receiver = await openReceiver(({ body, answer }) => {
    arrived.add(JSON.parse(body.toString()).data.n);
    setTimeout(() => answer(200), 20);
  });
  await engine.addEndpoint({ url: receiver.origin, maxInFlight: 50 });
  await engine.startWorker();
  await engine.startWorker();

  const accepted: number[] = [];
  let refusals = 0;
  let isPublishing = true;
  const publishers = Array.from({ length: 4 }, async (_, first) => {
    for (let n = first; isPublishing; n += 4)
      await engine.publish("a", 1, JSON.stringify({ n })).then(
        () => accepted.push(n),
        async () => {
          refusals++;
          await new Promise((resolve) => setTimeout(resolve, 20));
        },
      );
  });
  await eventually(() => expect(arrived.size).toBeGreaterThan(200));
  await killPrimary();
  // The way leads to the standby before that has become a primary: it takes no writes yet.
  proxy.moveTo(standby);
  const refused = refusals;
  await eventually(() => expect(refusals).toBeGreaterThan(refused + 20));
  const before = accepted.length;
  await ask(standby, "select pg_promote()");
  await eventually(() => expect(accepted.length).toBeGreaterThan(before + 200));
  isPublishing = false;
  await Promise.all(publishers);
  engine.wake();

  await eventually(async () => expect(Object.keys(await engine.statuses())).toEqual(["delivered"]), 60_000);
  expect(accepted.filter((n) => !arrived.has(n))).toEqual([]);
  const [count] = await ask(
    standby,
    "select count(*)::int as events, pg_is_in_recovery() as standby from events",
  );
  expect(count?.events).toBeGreaterThanOrEqual(accepted.length);
  expect(count?.standby).toBe(false);
  await expectWholeLog(engine);
  await expectNothingLeft(engine);
});
