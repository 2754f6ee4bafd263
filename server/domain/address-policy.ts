import { BlockList, isIP } from "node:net";

/** Which addresses a webhook may be sent to. Asked for every address at connect time. */
export interface AddressPolicy {
  /** Whether a connection to the address may be made. False for anything that is not an address. */
  allows(address: string): boolean;
  /** Whether the address is in a range that was opened on purpose (ALLOW_PRIVATE_TARGETS). */
  opens(address: string): boolean;
  /** Whether a range other than loopback was opened. */
  readonly opensNetworks: boolean;
}

export interface Cidr {
  address: string;
  prefix: number;
  family: "ipv4" | "ipv6";
}

/** IPv4 that is not public: the IANA special-purpose registry, multicast, class E, and Azure's WireServer. */
const REFUSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * IPv6 allows global unicast only, less what stands for something else inside it: Teredo and other protocol
 * assignments, documentation, 6to4, AS112. What embeds an IPv4 address elsewhere (NAT64, IPv4-compatible) is outside
 * 2000::/3 and so refused.
 */
const GLOBAL_V6 = ["2000::/3"];
const REFUSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

const V4_MAPPED = new BlockList();
V4_MAPPED.addSubnet("::ffff:0:0", 96, "ipv6");

/**
 * The connect-time policy. `allow` are the CIDR ranges that are reachable although they are not public, `refuse` those
 * that are not although they are: the addresses of this installation itself. What is in both is reachable. A range that is
 * no CIDR throws, as in `parseCidrs`.
 */
export function addressPolicy({
  allow,
  refuse = [],
}: {
  allow: readonly string[];
  refuse?: readonly string[];
}): AddressPolicy {
  const opened = listOf(allow);
  const refused = listOf(refuse);
  const refusedV4 = listOf(REFUSED_V4);
  const globalV6 = listOf(GLOBAL_V6);
  const refusedV6 = listOf(REFUSED_V6);
  const loopback = listOf(LOOPBACK);

  function isPublic(address: string, family: "ipv4" | "ipv6"): boolean {
    // BlockList compares an IPv4-mapped address with the IPv4 ranges, so no unwrapping is needed here.
    if (family === "ipv4" || V4_MAPPED.check(address, "ipv6")) return !refusedV4.check(address, family);
    return globalV6.check(address, "ipv6") && !refusedV6.check(address, "ipv6");
  }

  return {
    allows(address) {
      const family = familyOf(address);
      if (family === null || opened.check(address, family)) return family !== null;
      return isPublic(address, family) && !refused.check(address, family);
    },
    opens(address) {
      const family = familyOf(address);
      return family !== null && opened.check(address, family);
    },
    opensNetworks: parseCidrs(allow).some(({ address, family }) => !loopback.check(address, family)),
  };
}

/** Reads CIDR ranges; a bare address stands for itself alone. Throws an Error whose message names the bad range. */
export function parseCidrs(ranges: readonly string[]): Cidr[] {
  return ranges.map((range) => {
    const [address = "", prefixText, ...rest] = range.split("/");
    const family = familyOf(address);
    if (family === null || rest.length > 0) {
      throw new Error(`"${range}" is not a CIDR range such as 10.0.0.0/8 or fd00::/8`);
    }
    const longest = family === "ipv4" ? 32 : 128;
    const prefix =
      prefixText === undefined ? longest : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1;
    if (prefix < 0 || prefix > longest) {
      throw new Error(`"${range}" needs a prefix length from 0 to ${longest} after the slash`);
    }
    if (family === "ipv6" && V4_MAPPED.check(address, "ipv6")) {
      throw new Error(`"${range}" is an IPv4 range in IPv6 spelling; write it as IPv4`);
    }
    return { address, prefix, family };
  });
}

/** Null for what is no address, and for one with a zone id: it names an interface of this machine. */
function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = address.includes("%") ? 0 : isIP(address);
  return version === 0 ? null : version === 4 ? "ipv4" : "ipv6";
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of parseCidrs(ranges)) list.addSubnet(address, prefix, family);
  return list;
}
