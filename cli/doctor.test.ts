import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { withTransaction } from "#db/client.ts";
import { ensurePartitions } from "#db/partitions.ts";
import { WORKER_LOCK_CLASS } from "#db/queries/claims.ts";
import { openSession, type Session } from "#db/session.ts";
import { secretIdentity } from "#server/crypto/identities.ts";
import { createKeyring, newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import { loadSettings } from "#server/settings/settings.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { examine } from "./doctor.ts";
import { openTestCli, runCli, type TestCli } from "./test-support.ts";

const KEYS = newRootKey("k1");
const UUID = "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";

let cli: TestCli;
let tenantId: string;
let worker: Session | undefined;

beforeAll(async () => {
  cli = await openTestCli();
  await withTransaction(cli.db, async (tx) => {
    tenantId = (await createTenant(tx, { name: "Acme", now: new Date() })).id;
    await tx.query(
      `insert into webhook_endpoints (tenant_id, id, url, event_types, signature_format, timeout_ms, max_in_flight)
       values ($1, $2, 'https://example.com/', '{*}', 'hex', 15000, 10)`,
      [tenantId, UUID],
    );
    const sealed = createKeyring(parseRootKeys(KEYS)).seal("s3cret", secretIdentity(tenantId, UUID, "v1"));
    await tx.query(
      "insert into endpoint_secrets (tenant_id, endpoint_id, kid, sealed) values ($1, $2, 'v1', $3)",
      [tenantId, UUID, sealed],
    );
  });
});
afterAll(() => cli.close());
afterEach(async () => {
  await worker?.close();
  worker = undefined;
  await cli.db.query("delete from deliveries");
});

/** Does what a worker does to be seen alive. */
async function startWorker(): Promise<void> {
  worker = await openSession(cli.url, "lease");
  await worker.query("select pg_advisory_lock($1, 5)", [WORKER_LOCK_CLASS]);
}

/** Level, text and advice of each check. */
type Findings = Record<string, [level: string, text: string, advice: string | null]>;

async function findings(settings: Record<string, string> = {}): Promise<Findings> {
  const found: Findings = {};
  const loaded = loadSettings({
    NODE_ENV: "test",
    DATABASE_URL: cli.url,
    ENCRYPTION_KEYS: KEYS,
    ...settings,
  });
  for await (const report of examine(loaded))
    found[report.check] = [report.level, report.text, report.level === "ok" ? null : report.advice];
  return found;
}

/** What says `level` and these words, and then what to do. */
const finding = (level: string, text: RegExp, advice: RegExp) => [
  level,
  expect.stringMatching(text),
  expect.stringMatching(advice),
];

describe("doctor", () => {
  const run = (...args: string[]) =>
    runCli(["doctor", ...args], { DATABASE_URL: cli.url, ENCRYPTION_KEYS: KEYS });

  it("finds nothing wrong with an installation that is well, and succeeds", async () => {
    await startWorker();
    const { code, stdout, stderr } = await run("--json");
    const ok = (check: string, text: unknown) => ({ check, level: "ok", text, advice: null });
    expect(JSON.parse(stdout)).toEqual([
      ok("root keys", "k1, newest first"),
      ok("database", expect.stringMatching(/^PostgreSQL \d+.*, database /)),
      ok("migrations", expect.stringContaining("the newest, ")),
      ok("secrets", "1 sealed; their root keys are here"),
      ok("partitions", "7 days ahead"),
      ok("deliveries", "nothing is late"),
      ok("workers", "1 alive"),
    ]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("prints a line for each check with what to do below it, and fails when one does", async () => {
    const { code, stdout } = await run();
    expect(stdout).toMatch(/^ok {4}root keys {3}k1, newest first$/m);
    expect(stdout).toMatch(/^fail {2}workers {5}none is alive: .*\n +→ Start one: npm run start:worker/m);
    expect(code).toBe(1);
  });

  it("fails when a secret's root key is missing, or is another under the same id", async () => {
    for (const keys of [newRootKey("k2"), newRootKey("k1")])
      expect((await findings({ ENCRYPTION_KEYS: keys })).secrets).toEqual(
        finding("fail", /^1 sealed with k1 cannot be opened$/, /root keys k1/),
      );
    const kept = await findings({ ENCRYPTION_KEYS: `${newRootKey("k2")},${KEYS}` });
    expect(kept.secrets?.[0]).toBe("ok");
  });

  it("warns of few partitions and fails without any for tomorrow", async () => {
    const names = await cli.db.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relname like 'events\\_2%' order by 1 desc limit 8",
    );
    const drop = (from: number, to: number) =>
      cli.db.query(
        `drop table ${names
          .slice(from, to)
          .map(({ name }) => name)
          .join(", ")}`,
      );
    const partitions = async () => (await findings()).partitions;
    await drop(0, 4);
    expect(await partitions()).toEqual(finding("warn", /^3 days ahead$/, /posthorn -- partitions/));
    await drop(4, 7);
    expect(await partitions()).toEqual(finding("fail", /^0 days ahead$/, /posthorn -- partitions/));
    await drop(7, 8);
    expect(await partitions()).toEqual(
      finding("fail", /those of today are missing/, /posthorn -- partitions/),
    );
    await withTransaction(cli.db, (tx) => ensurePartitions(tx, new Date()));
  });

  it("warns of deliveries that are late and fails when they are very late", async () => {
    await cli.db.query(
      `insert into deliveries (tenant_id, id, event_id, endpoint_id, event_type, next_attempt_at, job_id, created_at)
       values ($1, $2, $3, $3, 'a', now() - interval '5 minutes', $3, now())`,
      [tenantId, uuidv7(), UUID],
    );
    expect((await findings()).deliveries).toEqual(finding("warn", /due for 30\d s/, /start more/));
    await cli.db.query("update deliveries set next_attempt_at = now() - interval '1 hour'");
    expect((await findings()).deliveries).toEqual(finding("fail", /due for 360\d s/, /start more/));
  });

  it("fails on tables and queues that are not those of this version, and leaves out what needs them", async () => {
    const journal = "drizzle.__drizzle_migrations";
    await cli.db.query(`alter table ${journal} rename to gone`);
    const old = await findings();
    await cli.db.query("alter table drizzle.gone rename to __drizzle_migrations");
    expect(old.migrations).toEqual(finding("fail", /not run yet: 0000_foundation/, /npm start/));
    expect(Object.keys(old)).toEqual(["root keys", "database", "migrations"]);

    await cli.db.query(`update ${journal} set created_at = created_at + 1e12`);
    const newer = await findings();
    await cli.db.query(`update ${journal} set created_at = created_at - 1e12`);
    expect(newer.migrations).toEqual(finding("fail", /migrated past/, /newer Posthorn/));

    await cli.db.query("alter schema pgboss rename to gone");
    const bare = await findings();
    await cli.db.query("alter schema gone rename to pgboss");
    expect(bare.migrations).toEqual(finding("fail", /^the queue: /, /npm start/));
  });

  it("fails in words when there is no database and when there are no keys", async () => {
    const url = "postgres://me:hunter22@127.0.0.1:1/x";
    const found = await findings({
      DATABASE_URL: url,
      ENCRYPTION_KEYS: "",
      POSTHORN_DATA_DIR: "/nonexistent",
    });
    expect(found).toEqual({
      "root keys": finding("fail", /ENCRYPTION_KEYS is not set/, /ENCRYPTION_KEYS/),
      database: finding("fail", /cannot be reached: .*ECONNREFUSED/, /DATABASE_URL/),
    });
    expect(JSON.stringify(found)).not.toContain("hunter22");
  });
});
