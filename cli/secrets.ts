import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { appendAudit, INSTALLATION } from "#server/audit/append-audit.ts";
import { reencrypt } from "#server/crypto/reencrypt.ts";
import { loadRootKeys } from "#server/settings/root-keys.ts";
import { loadSettings } from "#server/settings/settings.ts";
import { withDatabase } from "./database.ts";

/** `secrets`. */
export function addSecrets(program: Command): void {
  program
    .command("secrets")
    .description("what is sealed with the root keys: signing secrets, headers and keys of endpoints")
    .command("re-encrypt")
    .description(
      "seal with the newest root key what older ones have sealed; may be broken off and begun again at any time",
    )
    .action(async () => {
      const rootKeys = loadRootKeys(loadSettings());
      const newest = rootKeys[0]?.id ?? "";
      const call = { tenantId: INSTALLATION, actor: { kind: "cli" }, requestId: randomUUID() } as const;
      const { resealed, unopened } = await withDatabase((db) =>
        reencrypt(db, rootKeys, (tx, part) =>
          appendAudit(
            tx,
            { ...call, now: () => new Date() },
            { action: "secrets.re_encrypt", target: newest, after: part },
          ),
        ),
      );
      console.error(`Sealed ${resealed} anew with ${newest}.`);
      if (unopened === 0) return;
      console.error(`${unopened} cannot be opened with the root keys that are here: see \`doctor\`.`);
      process.exitCode = 1;
    });
}
