import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromId } from "#contracts/ids.ts";
import { listAuditRows } from "#db/queries/audit.ts";
import { verifyAudit } from "#server/audit/verify-audit.ts";
import { openTestCli, type TestCli } from "./test-support.ts";

let cli: TestCli;
beforeAll(async () => {
  cli = await openTestCli();
});
afterAll(() => cli.close());

describe("tenants", () => {
  it("has none to list at first", async () => {
    const [table, json] = await Promise.all([
      cli.run("tenants", "list"),
      cli.run("tenants", "list", "--json"),
    ]);
    expect([table.code, table.stdout, table.stderr]).toEqual([0, "", "There are no tenants yet.\n"]);
    expect(JSON.parse(json.stdout)).toEqual([]);
  });

  it("makes a tenant, prints its id alone, and notes it in the tenant's audit log", async () => {
    const id = await cli.made("tenants", "create", " Acme Ltd ");
    const tenantId = fromId("tenant", id) ?? "";
    expect(await listAuditRows(cli.db, tenantId)).toMatchObject([
      { actor: "cli", role: "cli", action: "tenant.create", target: id, after: { name: "Acme Ltd" } },
    ]);
    expect(await verifyAudit(cli.db, tenantId)).toBeNull();
    const listed = JSON.parse(await cli.made("tenants", "list", "--json"));
    expect(listed).toEqual([{ id, name: "Acme Ltd", created_at: expect.stringMatching(/Z$/) }]);
  });

  it("lists all of them however many, and nothing that a terminal would act on", async () => {
    const evil = "evil\u001b]0;title\u0007\nrow\u202e";
    await cli.db.query(
      `insert into tenants (id, name, created_at)
       select gen_random_uuid(), $1, now() - (n % 3) * interval '1 s' from generate_series(1, 1203) n`,
      [evil],
    );
    const [head, ...rows] = (await cli.made("tenants", "list")).split("\n");
    expect(head).toMatch(/^id +name +created_at$/);
    expect(new Set(rows.map((row) => row.split(" ")[0])).size).toBe(1204);
    expect(rows[0]).toContain("  evil\ufffd]0;title\ufffd\ufffdrow\ufffd  ");
  });

  it("gives a tenant limits of its own, and takes them back", async () => {
    const id = await cli.made("tenants", "create", "Limited");
    const tenantId = fromId("tenant", id) ?? "";
    const shown = async (...options: string[]) =>
      (await cli.made("tenants", "limits", id, ...options)).split("\n")[1]?.split(/ +/);
    expect(await shown()).toEqual(["default", "default"]);
    expect(await shown("--requests", "7", "--events", "0")).toEqual(["7", "0"]);
    expect(await shown("--events", "default")).toEqual(["7", "default"]);
    const notes = (await listAuditRows(cli.db, tenantId)).filter(({ action }) => action === "tenant.limits");
    expect(notes.map(({ after }) => after)).toEqual([
      { requests: 7, events: 0 },
      { requests: 7, events: null },
    ]);
    await cli.refused(["tenants", "limits", id, "--requests", "1.5"], /a whole number from 0/);
    await cli.refused(
      ["tenants", "limits", "ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84"],
      /There is no tenant/,
    );
  });

  it("gives a tenant a retention of its own, and takes it back", async () => {
    const id = await cli.made("tenants", "create", "Kept");
    const shown = async (...options: string[]) =>
      (await cli.made("tenants", "retention", id, ...options)).split("\n")[1];
    expect(await shown()).toBe("default");
    expect(await shown("--days", "90")).toBe("90");
    expect(await shown()).toBe("90");
    expect(await shown("--days", "default")).toBe("default");
    const notes = await listAuditRows(cli.db, fromId("tenant", id) ?? "");
    expect(notes.filter(({ action }) => action === "tenant.retention")).toMatchObject([
      { before: { days: null }, after: { days: 90 } },
      { before: { days: 90 }, after: { days: null } },
    ]);
    await cli.refused(["tenants", "retention", id, "--days", "0"], /a whole number of days from 1 to 3650/);
  });

  it("refuses a name that nobody could read, and makes nothing", async () => {
    const count = () => cli.db.query("select count(*) from tenants");
    const before = await count();
    await cli.refused(["tenants", "create", " "], /argument 'name'.*1 to 100 visible characters/);
    expect(await count()).toEqual(before);
  });
});
