import type { HealthCheck } from "#contracts/settings.ts";
import type { Services } from "../context.ts";
import {
  checkBacklog,
  checkDatabase,
  checkMigrations,
  checkPartitions,
  checkSecrets,
  checkWorkers,
  type Finding,
} from "./checks.ts";

const CHECKS: readonly [name: string, examine: (services: Services) => Promise<Finding>][] = [
  ["database", ({ db }) => checkDatabase(db)],
  ["migrations", ({ db }) => checkMigrations(db)],
  ["secrets", ({ db, keyring }) => checkSecrets(db, keyring)],
  ["partitions", ({ db, now }) => checkPartitions(db, now())],
  ["deliveries", ({ db }) => checkBacklog(db)],
  ["workers", ({ db }) => checkWorkers(db)],
];

/** How the parts of the installation are. A check that cannot be made is a finding too. */
export function examineInstallation(services: Services): Promise<HealthCheck[]> {
  return Promise.all(
    CHECKS.map(async ([check, examine]) => {
      const finding = await examine(services).catch((error: unknown): Finding => {
        services.log.warn({ err: error, check }, "a part of the installation could not be checked");
        return {
          level: "fail",
          text: "this could not be checked",
          advice: "See what the web process and the database have logged.",
        };
      });
      const { level, text } = finding;
      return { check, level, text, advice: finding.level === "ok" ? null : finding.advice };
    }),
  );
}
