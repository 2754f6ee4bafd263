import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { LINK_HOURS } from "#contracts/staff.ts";
import type { Tx } from "#db/client.ts";
import { deleteLinks, insertLink } from "#db/queries/manage-staff.ts";

const RESET = "reset-password:";

/** How the identifier of a link is stored: of its token a digest only, so that the database holds no way in. */
export function storedIdentifier(identifier: string): string {
  const digest = createHash("sha256").update(identifier).digest("base64url");
  return identifier.startsWith(RESET) ? RESET + digest : digest;
}

/**
 * Makes the one link by which somebody can set a password, in place of any before. What it holds stands after the `#`,
 * which browsers send to nobody: neither a log nor a Referer ever has it.
 */
export async function makeSignInLink(
  tx: Tx,
  { userId, email, origin, now }: { userId: string; email: string; origin: string; now: Date },
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await deleteLinks(tx, userId);
  await insertLink(tx, {
    id: uuidv7(),
    identifier: storedIdentifier(RESET + token),
    userId,
    now,
    expiresAt: new Date(now.getTime() + LINK_HOURS * 3_600_000),
  });
  return `${origin}/invitation#${new URLSearchParams({ token, email })}`;
}
