import type { Settings } from "#server/settings/settings.ts";
import type { Demo } from "../demo/demo.ts";
import type { SignIn } from "./sign-in.ts";

export interface Facts {
  origin: string;
  signIn: SignIn;
  demo: Demo | undefined;
  dataDir: string;
  embedded: boolean;
  settings: Settings;
}

/** What a user needs to know once everything is up. */
export function banner({ origin, signIn, demo, dataDir, embedded, settings }: Facts): string {
  const reset = `npm run posthorn -- users reset-password ${signIn.email}`;
  const password = signIn.password ?? `(printed when it was made; for another: ${reset})`;
  const lines = [
    "",
    `  Console    ${origin}`,
    `  Sign in    ${signIn.email}  ${password}`,
    `  API        ${origin}/api/v1`,
    `  Reference  ${origin}/docs`,
    ...(demo ? demoLines(origin, demo) : []),
    "",
    ...(embedded && settings.allowPrivateTargets.length > 0
      ? [
          `  Webhooks may reach ${settings.allowPrivateTargets.join(" and ")} (ALLOW_PRIVATE_TARGETS): for development only.`,
        ]
      : []),
    ...(demo && settings.retryScale === 1 && !process.env.RETRY_SCALE
      ? ["  Demo: retries come a thousand times sooner than in production (RETRY_SCALE=0.001)."]
      : []),
    `  Data and logs are in ${dataDir}. Ctrl-C stops everything; npm start goes on where it was.`,
    "",
  ];
  return lines.join("\n");
}

function demoLines(origin: string, demo: Demo): string[] {
  const key = demo.tenants[0]?.api_key ?? "";
  return [
    `  API key    ${key}`,
    `  Consumer   ${demo.consumer_url}`,
    "",
    "  Try it: publish an event and watch it arrive in the console.",
    "",
    `  curl -X POST ${origin}/api/v1/events -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -d '{"type":"invoice.paid","data":{"amount":12.5}}'`,
  ];
}
