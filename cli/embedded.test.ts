import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrateTables } from "#db/migrate.ts";
import { startEmbeddedPostgres } from "#server/runtime/postgres/embedded-postgres.ts";
import { runCli } from "./test-support.ts";

it("works on the running database of a data folder, and says so when it does not run", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "posthorn-cli-"));
  const create = () => runCli(["tenants", "create", "Acme"], { POSTHORN_DATA_DIR: dataDir });
  const notRunning = {
    code: 1,
    stdout: "",
    stderr: `error: The embedded database in ${dataDir} is not running: keep \`npm start\` running meanwhile, or set DATABASE_URL.\n`,
  };
  try {
    expect(await create()).toEqual(notRunning);
    const postgres = await startEmbeddedPostgres({ dataDir });
    try {
      expect(await create()).toEqual({
        ...{ code: 1, stdout: "" },
        stderr: expect.stringContaining("not those of this version"),
      });
      await migrateTables(postgres.url, new Date());
      expect(await create()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ten_/) });
    } finally {
      await postgres.stop();
    }
    expect(await create()).toEqual(notRunning);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
