import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAuditRows } from "#db/queries/audit.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { openTestCli, SLOW, type TestCli } from "./test-support.ts";

let cli: TestCli;
beforeAll(async () => {
  cli = await openTestCli();
});
afterAll(() => cli.close());

describe("partitions", SLOW, () => {
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
});
