import { isIPv4 } from "node:net";
import { describe, expect, it } from "vitest";
import { addressPolicy, parseCidrs } from "./address-policy.ts";
import { REFUSED_RANGES } from "./testing-targets.ts";

type Family = "ipv4" | "ipv6";
const BITS = { ipv4: 32n, ipv6: 128n };

const strict = addressPolicy({ allow: [] });

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split(".").reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function textOf(value: bigint, family: Family): string {
  const [count, size] = family === "ipv4" ? [4, 8n] : [8, 16n];
  const parts = Array.from({ length: count }, (_, index) =>
    ((value >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n)).toString(
      family === "ipv4" ? 10 : 16,
    ),
  );
  return parts.join(family === "ipv4" ? "." : ":");
}

function boundsOf(range: string): { family: Family; first: bigint; last: bigint } {
  const [cidr] = parseCidrs([range]);
  if (!cidr) throw new Error(range);
  const host = BITS[cidr.family] - BigInt(cidr.prefix);
  const first = (numberOf(cidr.address) >> host) << host;
  return { family: cidr.family, first, last: first + (1n << host) - 1n };
}

const bounds = Object.keys(REFUSED_RANGES).map(boundsOf);
const isRefused = (value: bigint, family: Family) =>
  bounds.some((range) => range.family === family && value >= range.first && value <= range.last);

/** Ways to put an IPv4 address into one of IPv6, and whether a connection to that is one to the IPv4 address. */
function embeddings(v4: string): { same: string[]; other: string[] } {
  const value = numberOf(v4);
  const hex = textOf(value, "ipv6").split(":").slice(6).join(":");
  const inverted = textOf(value ^ 0xffff_ffffn, "ipv6")
    .split(":")
    .slice(6)
    .join(":");
  return {
    same: [`::ffff:${v4}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${v4}`, `0000:0000::ffff:${hex}`],
    other: [
      ...[`::${v4}`, `::ffff:0:${v4}`, `64:ff9b::${v4}`, `64:ff9b:1::${hex}`, `64:ff9b:1:${hex}::`],
      ...[`2002:${hex}::`, `2002:${hex}::1`, `2001:0:${hex}::1`, `2001::${inverted}`, `fe80::5efe:${v4}`],
    ],
  };
}

describe("a range that is not public", () => {
  it.each(Object.entries(REFUSED_RANGES))(
    "%s (%s) is refused from its first address to its last",
    (range) => {
      const { family, first, last } = boundsOf(range);
      for (const value of [first, first + (last - first) / 2n, last]) {
        const address = textOf(value, family);
        expect(strict.allows(address), address).toBe(false);
        if (family === "ipv6") continue;
        for (const embedded of Object.values(embeddings(address)).flat())
          expect(strict.allows(embedded), embedded).toBe(false);
      }
    },
  );

  it.each(Object.keys(REFUSED_RANGES))("%s has public neighbours, where no other range begins", (range) => {
    const { family, first, last } = boundsOf(range);
    for (const value of [first - 1n, last + 1n]) {
      if (value < 0n || value >> BITS[family] > 0n) continue;
      const address = textOf(value, family);
      const isGlobal = family === "ipv4" || value >> 125n === 1n;
      expect(strict.allows(address), address).toBe(isGlobal && !isRefused(value, family));
    }
  });

  it("is not reached by what stands for a public address elsewhere either", () => {
    for (const v4 of ["8.8.8.8", "1.1.1.1", "93.184.216.34"]) {
      const { same, other } = embeddings(v4);
      for (const address of same) expect(strict.allows(address), address).toBe(true);
      for (const address of other) expect(strict.allows(address), address).toBe(false);
    }
  });
});

describe("what is opened", () => {
  it.each(Object.keys(REFUSED_RANGES))("%s is all that is reachable then", (range) => {
    const policy = addressPolicy({ allow: [range] });
    const own = boundsOf(range);
    for (const each of bounds) {
      for (const value of [each.first, each.last]) {
        const address = textOf(value, each.family);
        const isOwn = each.family === own.family && value >= own.first && value <= own.last;
        expect(policy.allows(address), `${address} with ${range} open`).toBe(isOwn);
        expect(policy.opens(address), address).toBe(isOwn);
      }
    }
  });

  it("is reachable although it is refused, and nothing else of what is", () => {
    const policy = addressPolicy({ allow: ["8.8.8.8"], refuse: ["8.8.8.0/24", "2606:4700::/32"] });
    expect(
      ["8.8.8.8", "8.8.8.7", "8.8.9.1", "::ffff:8.8.8.7", "2606:4700::1", "2606:4701::1"].map(policy.allows),
    ).toEqual([true, false, true, false, false, true]);
    expect(policy.opens("8.8.8.7")).toBe(false);
  });
});
