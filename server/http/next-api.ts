import { openServices } from "../runtime/services.ts";
import { loadRootKeys } from "../settings/root-keys.ts";
import { loadSettings, SettingsError } from "../settings/settings.ts";
import { createAuth } from "../staff/auth.ts";
import { findStaff } from "../staff/find-staff.ts";
import { createApi, type HandleApi } from "./api.ts";
import { routes } from "./routes.ts";
import { fromWeb, toWeb } from "./web-adapter.ts";

const BODY_TIMEOUT_MS = 10_000;

let api: Promise<HandleApi> | undefined;

/** Answers a request to the API in a Next that serves alone. The web process answers ahead of it, on node:http. */
export async function nextApi(request: Request): Promise<Response> {
  api ??= openApi();
  const handle = await api;
  return toWeb(request, await handle(fromWeb(request)));
}

async function openApi(): Promise<HandleApi> {
  const settings = loadSettings();
  if (settings.databaseUrl === undefined) throw new SettingsError("DATABASE_URL is needed.");
  const origin = settings.publicOrigin ?? `http://${settings.host}:${settings.port}`;
  const { services } = await openServices({
    role: "web",
    name: "next",
    databaseUrl: settings.databaseUrl,
    rootKeys: loadRootKeys(settings),
    allowPrivateTargets: settings.allowPrivateTargets,
    refuseTargets: settings.refuseTargets,
    logLevel: settings.logLevel,
    tracing: settings.tracing,
    rateLimits: settings.rateLimits,
  });
  const { db, keyring, log } = services;
  const auth = createAuth({ db, origin, keyring, log });
  const find = (cookie: string) => findStaff(auth, cookie);
  return createApi({ services, routes, origin, findStaff: find, bodyTimeoutMs: BODY_TIMEOUT_MS });
}
