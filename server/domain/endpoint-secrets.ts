import type { SecretState } from "#contracts/endpoint-secrets.ts";

export interface SecretTimes {
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** Whether a key signs at that moment. */
export function isValidSecret({ expiresAt, revokedAt }: SecretTimes, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** The state of each of an endpoint's keys, given newest first: of those that are valid the newest is the current one. */
export function secretStates(secrets: readonly SecretTimes[], now: Date): SecretState[] {
  const current = secrets.findIndex((secret) => isValidSecret(secret, now));
  return secrets.map((secret, index) => {
    if (secret.revokedAt !== null) return "revoked";
    if (!isValidSecret(secret, now)) return "expired";
    return index === current ? "current" : "overlapping";
  });
}

/** The id of the key after those that there have been: `v1`, `v2` and so on. */
export function nextKeyId(kids: readonly string[]): string {
  const numbers = kids.map((kid) => Number(/^v(\d+)$/.exec(kid)?.[1] ?? 0));
  return `v${Math.max(0, ...numbers) + 1}`;
}
