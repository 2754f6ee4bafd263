import type { KeyObject } from "node:crypto";
import type { SIGNATURE_FORMATS } from "#contracts/endpoints.ts";
import type { RetryPolicy } from "#contracts/retry-policy.ts";
import type { Conn } from "#db/client.ts";
import { getTarget, type TargetRow } from "#db/queries/delivering.ts";
import { headersIdentity, secretIdentity, signingKeyIdentity } from "#server/crypto/identities.ts";
import type { Keyring } from "#server/crypto/keyring.ts";
import { asymmetricKey } from "#server/domain/asymmetric-key.ts";
import { type SigningKey, signingKey } from "#server/domain/signing.ts";

/** Where an endpoint's deliveries go and how they are signed. */
export interface Target {
  readonly url: string;
  readonly format: (typeof SIGNATURE_FORMATS)[number];
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  /** Requests per second at most. */
  readonly rateLimit: number | null;
  /** Host and port that the URL leads to. */
  readonly host: string;
  /** How often it is tried again; null is the usual schedule. */
  readonly retryPolicy: RetryPolicy | null;
  readonly version: string;
  /** Sent besides what every delivery has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The ed25519 key of an endpoint that has one. */
  readonly asymmetric: KeyObject | undefined;
  /** The keys that sign at that moment, the current one first. Throws when there is none. */
  keysAt(now: number): readonly [SigningKey, ...SigningKey[]];
}

const MAX_KEPT = 20_000;

/** Keeps targets with their prepared keys; a target is read again when its endpoint's version has changed. */
export class Targets {
  readonly #conn: Conn;
  readonly #keyring: Keyring;
  readonly #kept = new Map<string, Promise<Target>>();
  /** Those of `#kept` that have been read. */
  readonly #known = new Map<string, Target>();

  constructor(conn: Conn, keyring: Keyring) {
    this.#conn = conn;
    this.#keyring = keyring;
  }

  /** The target of an endpoint at exactly `version`, where it has been read before. */
  known(endpointId: string, version: string): Target | undefined {
    const target = this.#known.get(endpointId);
    return target?.version === version ? target : undefined;
  }

  /** The target of an endpoint at `version` or newer. Rejects when it cannot be read or its secrets cannot be opened. */
  async get(tenantId: string, endpointId: string, version: string): Promise<Target> {
    const kept = this.#kept.get(endpointId);
    if (kept !== undefined) {
      const target = await kept.catch(() => undefined);
      if (target && BigInt(target.version) >= BigInt(version)) return target;
    }
    // Another caller may have begun to read it while this one waited.
    const newer = this.#kept.get(endpointId);
    if (newer !== undefined && newer !== kept) return newer;
    const reading = this.#read(tenantId, endpointId);
    this.#keep(endpointId, reading);
    return reading;
  }

  #keep(endpointId: string, reading: Promise<Target>): void {
    if (this.#kept.size >= MAX_KEPT) {
      this.#kept.clear();
      this.#known.clear();
    }
    this.#kept.set(endpointId, reading);
    this.#known.delete(endpointId);
    const isCurrent = () => this.#kept.get(endpointId) === reading;
    reading.then(
      (target) => {
        if (isCurrent()) this.#known.set(endpointId, target);
      },
      () => {
        if (isCurrent()) this.#kept.delete(endpointId);
      },
    );
  }

  async #read(tenantId: string, endpointId: string): Promise<Target> {
    const row = await getTarget(this.#conn, tenantId, endpointId);
    if (!row) throw new Error("the endpoint does not exist");
    const keys = row.secrets.map((secret) => ({
      expiresAt: secret.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(secret.expiresAt),
      key: signingKey({
        kid: secret.kid,
        value: this.#keyring.open(secret.sealed, secretIdentity(tenantId, endpointId, secret.kid)),
      }),
    }));
    return {
      ...toTarget(row, keys),
      headers: this.#headersOf(row, headersIdentity(tenantId, endpointId)),
      asymmetric: this.#asymmetricOf(row, signingKeyIdentity(tenantId, endpointId)),
    };
  }

  #headersOf({ sealedHeaders }: TargetRow, identity: string): Record<string, string> {
    return sealedHeaders === null ? {} : JSON.parse(this.#keyring.open(sealedHeaders, identity));
  }

  #asymmetricOf({ sealedSigningKey }: TargetRow, identity: string): KeyObject | undefined {
    return sealedSigningKey === null
      ? undefined
      : asymmetricKey(this.#keyring.open(sealedSigningKey, identity));
  }
}

function toTarget(
  row: TargetRow,
  keys: readonly { expiresAt: number; key: SigningKey }[],
): Omit<Target, "headers" | "asymmetric"> {
  // Most endpoints have one key, or several that last: looked for once, not for each delivery.
  const lasting = keys.every(({ expiresAt }) => expiresAt === Number.POSITIVE_INFINITY)
    ? keys.map(({ key }) => key)
    : undefined;
  return {
    url: row.url,
    format: row.signatureFormat as Target["format"],
    timeoutMs: row.timeoutMs,
    maxInFlight: row.maxInFlight,
    rateLimit: row.rateLimit,
    host: URL.parse(row.url)?.host ?? "",
    retryPolicy: row.retryPolicy,
    version: row.version,
    keysAt(now) {
      const valid = lasting ?? keys.filter((each) => each.expiresAt > now).map((each) => each.key);
      if (!isSome(valid)) throw new Error("the endpoint has no valid signing secret");
      return valid;
    },
  };
}

const isSome = (keys: readonly SigningKey[]): keys is readonly [SigningKey, ...SigningKey[]] =>
  keys.length > 0;
