import type { LookupFunction } from "node:net";
import { isLocalhost } from "#server/domain/endpoint-url.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";
import { SendError } from "./send-error.ts";

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Whether a connection to an address may be made. */
export type MayReach = (address: string) => boolean;

/**
 * A lookup for node:net that gives checked addresses only. One address that may not be reached refuses the whole answer:
 * a mix of public and private addresses is a sign of DNS rebinding, never of a webhook.
 */
export function guardedLookup(mayReach: MayReach, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    checkedAddresses(hostname, mayReach, resolve).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}

async function checkedAddresses(
  hostname: string,
  mayReach: MayReach,
  resolve: Resolve,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  // localhost is never asked of DNS (RFC 6761 §6.3). Either of its addresses may be the one that is opened.
  if (isLocalhost(hostname)) {
    const [first, ...others] = LOOPBACK.filter(({ address }) => mayReach(address));
    if (!first) throw addressBlocked(hostname);
    return [first, ...others];
  }
  const [first, ...others] = await resolved(hostname, resolve);
  if (!first) throw new SendError("dns_failure", `${hostname} has no address`);
  if ([first, ...others].some(({ address }) => !mayReach(address))) throw addressBlocked(hostname);
  return [first, ...others];
}

/** Whatever a resolver fails with is a DNS failure: its ECONNREFUSED is not the endpoint's. */
async function resolved(hostname: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  try {
    return await resolve(hostname);
  } catch (error) {
    throw new SendError("dns_failure", `${hostname} did not resolve`, { cause: error });
  }
}

export function addressBlocked(host: string): SendError {
  return new SendError("address_blocked", `the address policy refuses ${host}`);
}
