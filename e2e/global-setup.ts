import { openTestServer } from "#tests/postgres-server.ts";
import { startApp } from "./app.ts";

/** Starts the application once for all browser tests: on its embedded database, or on a new one of DATABASE_URL. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export.
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = process.env.DATABASE_URL ? await openTestServer() : undefined;
  try {
    const app = await startApp(
      server ? { DATABASE_URL: await server.createDatabase(`${server.prefix}e2e`) } : {},
    );
    process.env.POSTHORN_E2E_DEMO_FILE = app.demoFile;
    return () => app.stop().finally(() => server?.close());
  } catch (error) {
    await server?.close();
    throw error;
  }
}
