import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { daysAgo, makePastDays, storePast } from "#tests/past-days.ts";
import { openTestCli, type TestCli } from "./test-support.ts";

let cli: TestCli;
beforeAll(async () => {
  cli = await openTestCli();
});
afterAll(() => cli.close());

describe("partitions", () => {
  it("makes those that are missing, once, and notes them", async () => {
    const [row] = await cli.db.query<{ name: string }>(
      "select max(relname) as name from pg_class where relkind = 'r' and relname like 'attempts\\_2%'",
    );
    const name = row?.name ?? "";
    await cli.db.query(`drop table ${name}`);
    const made = { code: 0, stdout: `${name}\n`, stderr: "Made 1 partitions.\n" };
    expect(await cli.run("partitions")).toEqual(made);
    expect(await cli.run("partitions")).toEqual({
      code: 0,
      stdout: "",
      stderr: "No partition was missing.\n",
    });
    const notes = await listAuditRows(cli.db, INSTALLATION);
    expect(notes).toMatchObject([{ actor: "cli", action: "partitions.create", after: [name] }]);
  });

  it("lists what there is and what becomes of it, refuses to remove much at once, and does so when told to", async () => {
    const id = await cli.made("tenants", "create", "Old");
    const tenantId = fromId("tenant", id) ?? "";
    const past = [36, 35, 34, 33, 32];
    await makePastDays(cli.db, past);
    for (const ago of past)
      await storePast(cli.db, { tenantId, endpointId: tenantId, ago, status: "delivered" });
    const name = (table: string, ago: number) =>
      `${table}_${new Date(daysAgo(ago)).toISOString().slice(0, 10).replaceAll("-", "")}`;
    const count = () => cli.db.query("select count(*)::int as events from events");
    const next = async (...options: string[]) => {
      const { stdout } = await cli.run("partitions", ...options);
      const rows = stdout.split("\n").map((row) => row.split(/ {2,}/));
      return new Map(rows.map(([partition, size, action]) => [partition, [size, action]]));
    };

    const listed = await next("list");
    expect(listed.get(name("events", 32))).toEqual([expect.stringMatching(/^\d\.\d MiB$/), "refuse"]);
    expect(listed.get(name("events", 0))?.[1]).toBe("keep");
    const refused = await cli.run("partitions", "drop");
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^Refused: retention has never run, and 5 days would go at once\.$/m);
    const dry = await next("drop", "--dry-run", "--force");
    expect(dry.get(name("events", 32))?.[1]).toBe("drop");
    expect([dry.has(name("attempts", 33)), await count()]).toEqual([false, [{ events: 5 }]]);

    const dropped = await cli.run("partitions", "drop", "--force");
    expect([dropped.code, dropped.stderr]).toEqual([0, "Dropped 12 partitions, removed 0 rows of others.\n"]);
    expect(dropped.stdout.split("\n")[0]).toBe(name("events", 36));
    const notes = (await listAuditRows(cli.db, INSTALLATION)).filter(
      ({ action }) => action === "partitions.drop",
    );
    expect(notes).toHaveLength(12);
    expect(notes[0]).toMatchObject({ actor: "cli", target: name("events", 36), after: { tenants: 1 } });
    expect(await cli.run("partitions", "drop")).toMatchObject({ code: 0, stdout: "" });
  });
});
