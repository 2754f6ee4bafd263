import pg from "pg";
import { expect, it } from "vitest";
import { createTestDatabase } from "./database.ts";

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

it("gives each caller a migrated database of its own, and drops it with a client still connected", async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await ask(one.url, "insert into tenants (id, name) values (gen_random_uuid(), 'Acme')");
  expect(await ask(one.url, "select count(*)::int from tenants")).toEqual([1]);
  expect(await ask(other.url, "select count(*)::int from tenants")).toEqual([0]);

  const lingering = new pg.Client({ connectionString: one.url });
  lingering.on("error", () => {});
  await lingering.connect();
  await one.drop();
  await expect(ask(one.url, "select 1")).rejects.toThrow("does not exist");
  await other.drop();
});

it("keeps what it has committed across a crash of the server, as in production", async () => {
  const { url, drop } = await createTestDatabase();
  expect(await ask(url, "select current_setting('fsync') || current_setting('synchronous_commit')")).toEqual([
    "onon",
  ]);
  await drop();
});
