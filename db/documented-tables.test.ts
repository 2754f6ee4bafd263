import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import { connect } from "./client.ts";

it("has no table of which the operator is not told what bounds it", async () => {
  const page = readFileSync(new URL("../docs/operations.md", import.meta.url), "utf8");
  const told = page.slice(page.indexOf("## What grows"), page.indexOf("## Metrics"));
  const database = await createTestDatabase();
  const db = connect(database.url, { name: "documented-tables" });
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  await db.close();
  await database.drop();
  expect(tables.map(({ name }) => name).filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});
