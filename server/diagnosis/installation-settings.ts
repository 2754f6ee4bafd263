import type { InstallationSettings } from "#contracts/settings.ts";
import type { Services } from "../context.ts";
import { VERSION } from "../runtime/version.ts";
import { inspectSettings } from "../settings/inspect-settings.ts";

/** What this process runs with; of secrets, that they are set. */
export function installationSettings({ keyring }: Services, origin: string): InstallationSettings {
  return {
    version: VERSION,
    node_version: process.versions.node,
    origin,
    root_keys: [...keyring.keyIds],
    settings: inspectSettings().map(({ name, value, source, secret, meaning, byDefault }) => ({
      name,
      value,
      source,
      secret,
      meaning,
      default: byDefault || null,
    })),
  };
}
