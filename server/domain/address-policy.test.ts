import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressPolicy, parseCidrs } from "./address-policy.ts";

const strict = addressPolicy({ allow: [] });

const REFUSED = {
  "this network": ["0.0.0.0", "0.255.255.255"],
  "RFC 1918": [
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.168.0.0",
    "192.168.255.255",
  ],
  "carrier-grade NAT": ["100.64.0.0", "100.127.255.255", "100.100.100.200"],
  loopback: ["127.0.0.1", "127.255.255.255", "::1"],
  "link-local and metadata": ["169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.170.23", "fe80::1"],
  "Azure WireServer": ["168.63.129.16"],
  "protocol assignments": ["192.0.0.1", "192.0.0.192", "192.31.196.1", "192.52.193.1", "192.175.48.1"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1", "3fff:fff::1"],
  "6to4 relay and benchmarking": ["192.88.99.1", "198.18.0.0", "198.19.255.255", "2001:2::1"],
  "multicast, class E, broadcast": [
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "ff02::1",
  ],
  "IPv4-mapped": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::fFFf:127.0.0.1",
    "0:0:0:0:0:ffff:a9fe:a9fe",
    "::ffff:0.0.0.0",
  ],
  "IPv4-compatible and translated": ["::7f00:1", "::127.0.0.1", "::ffff:0:7f00:1", "::8.8.8.8"],
  NAT64: ["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::7f00:1"],
  "6to4 and Teredo": ["2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:0:7f00:1::"],
  "ORCHIDv2 and AS112": ["2001:20::1", "2620:4f:8000::1"],
  "discard, SRv6, unique and site local": [
    "100::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fec0::1",
  ],
  "outside global unicast": ["::", "1fff:ffff::1", "4000::1", "000:0:0000::01"],
};

const ALLOWED = [
  "8.8.8.8",
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "172.15.255.255",
  "172.32.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2003::1",
  "2606:4700::1111",
  "2a00:1450:4001::1",
  "3ffe:ffff::1",
];

const GARBAGE = [
  "",
  " ",
  "localhost",
  "example.com",
  "127.1",
  "0x7f.1",
  "0177.0.0.1",
  "2130706433",
  "01200034567",
  "08.8.8.8",
  "8.8.8.8 ",
  "8.8.8.8:80",
  "8.8.8",
  "8.8.8.8.8",
  "256.1.1.1",
  "[2606:4700::1111]",
  "2606:4700::1111%eth0",
  "fe80::1%1",
  "2606:4700:::1",
  "８.8.8.8",
  "8.8.8.8\u0000",
];

describe("addressPolicy", () => {
  for (const [range, addresses] of Object.entries(REFUSED)) {
    it.each(addresses)(`refuses %s (${range})`, (address) => {
      expect(strict.allows(address)).toBe(false);
    });
  }

  it.each(ALLOWED)("allows %s", (address) => {
    expect(strict.allows(address)).toBe(true);
  });

  it.each(GARBAGE)("refuses %j, which is no plain address", (text) => {
    expect(strict.allows(text)).toBe(false);
    expect(addressPolicy({ allow: ["0.0.0.0/0", "::/0"] }).allows(text)).toBe(false);
  });

  it("refuses whatever text that is no address", () => {
    fc.assert(fc.property(fc.string(), (text) => !strict.allows(`x${text}`)));
  });

  it("judges an IPv4-mapped address in every spelling as the IPv4 address in it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const verdict = strict.allows(v4);
        for (const spelling of [`::ffff:${v4}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${hex}`]) {
          expect(strict.allows(spelling)).toBe(verdict);
        }
        for (const other of [`::${v4}`, `::ffff:0:${hex}`, `64:ff9b::${v4}`, `2002:${hex}::1`]) {
          expect(strict.allows(other)).toBe(false);
        }
      }),
    );
  });

  it("never allows IPv6 outside 2000::/3 other than mapped", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (!strict.allows(address)) return;
        expect(/^([23][0-9a-f]{3}:|[0:]*:ffff:)/i.test(address)).toBe(true);
      }),
    );
  });
});

describe("addressPolicy with opened ranges", () => {
  const loopback = addressPolicy({ allow: ["127.0.0.0/8", "::1"] });

  it("allows the opened ranges, in mapped spelling too, and nothing more", () => {
    for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
      expect(loopback.allows(address)).toBe(true);
      expect(loopback.opens(address)).toBe(true);
    }
    for (const address of ["10.0.0.1", "169.254.169.254", "fe80::1", "::127.0.0.1"]) {
      expect(loopback.allows(address)).toBe(false);
    }
  });

  it("tells an opened address from a public one", () => {
    expect(loopback.allows("8.8.8.8")).toBe(true);
    expect(loopback.opens("8.8.8.8")).toBe(false);
    expect(loopback.opens("nonsense")).toBe(false);
  });

  it("tells whether more than loopback is open", () => {
    expect(strict.opensNetworks).toBe(false);
    expect(loopback.opensNetworks).toBe(false);
    expect(addressPolicy({ allow: ["127.0.0.0/8", "10.0.0.0/8"] }).opensNetworks).toBe(true);
  });
});

describe("parseCidrs", () => {
  it("reads ranges and single addresses of both families", () => {
    expect(parseCidrs(["10.0.0.0/8", "fd00::/8", "192.168.1.7", "::1"])).toEqual([
      { address: "10.0.0.0", prefix: 8, family: "ipv4" },
      { address: "fd00::", prefix: 8, family: "ipv6" },
      { address: "192.168.1.7", prefix: 32, family: "ipv4" },
      { address: "::1", prefix: 128, family: "ipv6" },
    ]);
  });

  it.each([
    ["", /not a CIDR range/],
    ["localhost", /"localhost" is not a CIDR range/],
    ["10.0.0/8", /not a CIDR range/],
    ["10.0.0.0/8/8", /not a CIDR range/],
    ["fe80::1%eth0/64", /not a CIDR range/],
    ["10.0.0.0/33", /from 0 to 32/],
    ["fd00::/129", /from 0 to 128/],
    ["10.0.0.0/", /prefix length/],
    ["10.0.0.0/-1", /prefix length/],
    ["10.0.0.0/8.5", /prefix length/],
    ["::ffff:10.0.0.0/104", /write it as IPv4/],
  ])("names what is wrong with %j", (range, message) => {
    expect(() => parseCidrs(["127.0.0.0/8", range])).toThrow(message);
  });
});
