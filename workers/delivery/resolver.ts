import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { remember } from "./remember.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** All addresses of a host name, in the order in which they are to be tried. Rejects when it does not resolve. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

interface Answer {
  addresses: readonly ResolvedAddress[];
  ttlMs: number;
}

/** How long the answer of one family waits for the other (RFC 8305 §3, for resolvers that drop AAAA). */
const OTHER_FAMILY_WAIT_MS = 250;
const SHORTEST_KEEP_MS = 1000;
const LONGEST_KEEP_MS = 60_000;
const MAX_KEPT = 10_000;

/**
 * A resolver for many names at once: the hosts file, then DNS. An answer is asked for once at a time and kept for its
 * TTL, between 1 s and 60 s; a failure for 1 s. It does without getaddrinfo, whose few threads a single domain that
 * never answers could occupy. IPv4 goes first: where there is no IPv6 that costs no failed try.
 */
export function createResolver({
  dns = new Resolver({ timeout: 2000, tries: 2 }),
  hostsFile = "/etc/hosts",
}: {
  dns?: Resolver;
  hostsFile?: string;
} = {}): Resolve {
  const kept = new Map<string, { answer: Promise<Answer>; expiresAt: number }>();

  function ask(hostname: string): Promise<Answer> {
    const answer = answerOf(hostname, dns, hostsFile);
    const entry = remember(kept, MAX_KEPT, hostname, { answer, expiresAt: Number.POSITIVE_INFINITY });
    const keepFor = (ms: number) => {
      entry.expiresAt = performance.now() + Math.min(Math.max(ms, SHORTEST_KEEP_MS), LONGEST_KEEP_MS);
    };
    answer.then(
      ({ ttlMs }) => keepFor(ttlMs),
      () => keepFor(0),
    );
    return answer;
  }

  return async (hostname) => {
    const known = kept.get(hostname);
    const answer = known && known.expiresAt > performance.now() ? known.answer : ask(hostname);
    return (await answer).addresses;
  };
}

async function answerOf(hostname: string, dns: Resolver, hostsFile: string): Promise<Answer> {
  const local = namedIn(await readFile(hostsFile, "utf8").catch(() => ""), hostname);
  return local.length > 0 ? { addresses: local, ttlMs: LONGEST_KEEP_MS } : fromDns(hostname, dns);
}

async function fromDns(hostname: string, dns: Resolver): Promise<Answer> {
  const found: { 4: { address: string; ttl: number }[]; 6: { address: string; ttl: number }[] } = {
    4: [],
    6: [],
  };
  const queries = [
    dns.resolve4(hostname, { ttl: true }).then((records) => {
      found[4] = records;
    }),
    dns.resolve6(hostname, { ttl: true }).then((records) => {
      found[6] = records;
    }),
  ];
  // Rejects when both have failed.
  const first = Promise.any(queries);
  await Promise.race([
    Promise.all(queries),
    first.then(() => wait(OTHER_FAMILY_WAIT_MS, undefined, { ref: false })),
  ]).catch(() => first);
  return {
    addresses: ([4, 6] as const).flatMap((family) =>
      found[family].map(({ address }) => ({ address, family })),
    ),
    ttlMs: Math.min(...[...found[4], ...found[6]].map(({ ttl }) => ttl)) * 1000,
  };
}

/** The addresses that a hosts file gives a name. */
function namedIn(hosts: string, hostname: string): ResolvedAddress[] {
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    const matches = (family === 4 || family === 6) && names.some((name) => name.toLowerCase() === hostname);
    return matches ? [{ address, family }] : [];
  });
}
