import { runProcess } from "#server/runtime/run-process.ts";
import { openServices } from "#server/runtime/services.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings } from "#server/settings/settings.ts";
import { createWebServer } from "#web/server.ts";

/** A web process without the console, which would need a build: the API as it is served ahead of Next. */
async function start() {
  const settings = loadSettings();
  const { services, close } = await openServices({
    role: "web",
    name: "web",
    databaseUrl: settings.databaseUrl ?? "",
    rootKeys: loadRootKeys(settings),
    allowPrivateTargets: settings.allowPrivateTargets,
    logLevel: settings.logLevel,
    rateLimits: settings.rateLimits,
  });
  const server = await createWebServer({ services, host: settings.host, port: settings.port });
  process.send?.({ ready: true, port: server.port });
  return {
    async stop() {
      await server.close(2_000);
      await close();
    },
  };
}

await runProcess(start);
