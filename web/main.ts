import { ChangeFeed } from "#server/live/change-feed.ts";
import { createWebMetrics } from "#server/metrics/web-metrics.ts";
import { runProcess } from "#server/runtime/run-process.ts";
import { openServices } from "#server/runtime/services.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings, SettingsError } from "#server/settings/settings.ts";
import { createAuth } from "#server/staff/auth.ts";
import { findStaff } from "#server/staff/find-staff.ts";
import { toNodeHandler } from "#server/staff/node-handler.ts";
import { openConsole } from "./console.ts";
import { createWebServer } from "./server.ts";

const GRACE_MS = 5_000;

/** The composition root of a web process: the API on node:http, sign-in, the console. */
async function start() {
  const settings = loadSettings();
  if (settings.databaseUrl === undefined)
    throw new SettingsError(
      "DATABASE_URL is not set; `npm start` runs everything with an embedded database.",
    );
  const { services, close } = await openServices({
    role: "web",
    name: "web",
    databaseUrl: settings.databaseUrl,
    rootKeys: loadRootKeys(settings),
    allowPrivateTargets: settings.allowPrivateTargets,
    refuseTargets: settings.refuseTargets,
    logLevel: settings.logLevel,
    tracing: settings.tracing,
    rateLimits: settings.rateLimits,
  });
  const { db, keyring, log } = services;
  const consoleApp = await openConsole();
  const changes = new ChangeFeed({ databaseUrl: settings.databaseUrl, log });
  const server = await createWebServer({
    services,
    host: settings.host,
    port: settings.port,
    publicOrigin: settings.publicOrigin,
    metrics: {
      metrics: createWebMetrics(services),
      token: settings.metricsToken ?? keyring.derive("metrics"),
    },
    changes,
    next: consoleApp.handle,
    staff(origin) {
      const { signInsPerMinute } = settings;
      const auth = createAuth({ db, origin, keyring, log, signInsPerMinute });
      return { find: (cookie) => findStaff(auth, cookie), handle: toNodeHandler(auth, origin) };
    },
  });
  log.info({ origin: server.origin }, "listening");
  process.send?.({ ready: true, port: server.port });

  return {
    async stop() {
      await server.close(GRACE_MS);
      await Promise.all([consoleApp.close(), changes.close()]);
      await close();
      log.info("stopped");
    },
  };
}

await runProcess(start);
