import type { Attempt, Delivery } from "#contracts/deliveries.ts";
import type { EndpointSecret } from "#contracts/endpoint-secrets.ts";

/** How long the old secret stays valid: what is offered, and when to choose it. */
export const OVERLAPS = [
  { seconds: 86_400, label: "24 hours", why: "The usual: time to hand it over, and to see that it works." },
  { seconds: 3_600, label: "1 hour", why: "Somebody is at the receiver right now." },
  { seconds: 604_800, label: "7 days", why: "The receiver belongs to somebody who takes days to answer." },
  {
    seconds: 0,
    label: "None: the old one ends at once",
    why: "It has leaked. Deliveries are refused until the receiver has the new one, and are tried again.",
  },
] as const;

/** The key that signs, and those that are valid besides. */
export function validKeys(secrets: readonly EndpointSecret[]) {
  return {
    current: secrets.find(({ state }) => state === "current"),
    overlapping: secrets.filter(({ state }) => state === "overlapping"),
  };
}

/** Why a key cannot be revoked; `null` when it can. */
export function revokeRefusal({ state }: EndpointSecret): string | null {
  switch (state) {
    case "current":
      return "The current key cannot be revoked: an endpoint always has a valid one. Rotate first.";
    case "overlapping":
      return null;
    case "expired":
      return "It has expired.";
    case "revoked":
      return "It is revoked.";
  }
}

/** How the last attempt of a delivery was signed, and what came of it. */
export interface Signed {
  delivery: Delivery;
  attempt: Attempt;
  /** Of `X-Signature-Key-Id`; `null` when the attempt keeps no headers any more. */
  keyId: string | null;
  /** How many keys signed `webhook-signature`. */
  signatures: number;
  isAccepted: boolean;
  /** Whether the receiver refused it as one does who does not believe the signature. */
  isDisbelieved: boolean;
}

const DISBELIEF: ReadonlySet<number | undefined> = new Set([401, 403]);

export function signedBy(delivery: Delivery, attempt: Attempt): Signed {
  const header = (name: string) =>
    Object.entries(attempt.request.headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return {
    delivery,
    attempt,
    keyId: header("x-signature-key-id") ?? null,
    signatures: (header("webhook-signature") ?? "").split(" ").filter((part) => part.startsWith("v1,"))
      .length,
    isAccepted: attempt.outcome === "ok",
    isDisbelieved: DISBELIEF.has(attempt.response?.status),
  };
}

/** What can be said of the receiver since the new key signs, in a sentence. */
export function verdictOf(
  signed: readonly Signed[],
  kid: string,
): { tone: "good" | "bad" | "wait"; words: string } {
  const withNew = signed.filter(({ keyId }) => keyId === kid);
  const disbelieved = withNew.filter(({ isDisbelieved }) => isDisbelieved).length;
  const failed = withNew.filter(({ isAccepted, isDisbelieved }) => !isAccepted && !isDisbelieved).length;
  if (withNew.length === 0)
    return { tone: "wait", words: `Nothing was signed with ${kid} yet. Send a test event to try it.` };
  if (disbelieved > 0)
    return {
      tone: "bad",
      words: `The receiver refused the signature of ${disbelieved} of ${withNew.length} deliveries since the switch. It does not know ${kid} yet.`,
    };
  if (failed > 0)
    return {
      tone: "bad",
      words: `The receiver still fails: ${failed} of ${withNew.length} deliveries since the switch, though not because of the signature.`,
    };
  return { tone: "good", words: `The receiver accepted all ${withNew.length} deliveries since the switch.` };
}
