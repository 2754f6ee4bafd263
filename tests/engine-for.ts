import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openEngine, type TestEngine } from "#workers/delivery/test-support.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** Opens an engine on a database of its own for each test, or one for all of a file, and hands it to `use`; both go after it. */
export function engineFor(scope: "each" | "all", use: (engine: TestEngine) => void): void {
  const [before, after] = scope === "each" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let database: TestDatabase | undefined;
  let engine: TestEngine | undefined;
  before(async () => {
    database = await createTestDatabase();
    engine = await openEngine(database.url);
    use(engine);
  });
  after(async () => {
    await engine?.close();
    await database?.drop();
  });
}
