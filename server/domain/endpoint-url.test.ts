import { describe, expect, it } from "vitest";
import { addressPolicy } from "./address-policy.ts";
import { checkEndpointUrl } from "./endpoint-url.ts";

const strict = addressPolicy({ allow: [] });
const loopback = addressPolicy({ allow: ["127.0.0.0/8", "::1/128"] });
const networks = addressPolicy({ allow: ["172.16.0.0/12", "fd00::/8"] });

const OWN_HOST = "posthorn.example";
const accepts = (url: string, policy = strict) => checkEndpointUrl(url, policy, OWN_HOST).ok;
const reasonOf = (url: string, policy = strict, ownHost = OWN_HOST) => {
  const check = checkEndpointUrl(url, policy, ownHost);
  return check.ok ? null : check.reason;
};

describe("checkEndpointUrl", () => {
  it.each([
    "https://example.com",
    "https://example.com/webhooks/provider?tenant=1&x=%20",
    "https://example.com:443/",
    "https://example.com:8443/hook",
    "https://hooks.example.co.uk:1024/hook",
    "https://a_b.example.com/hook",
    "https://xn--mnchen-3ya.example/hook",
    "https://does-not-resolve-yet.invalid/hook",
    "https://169.254.169.254.nip.io/latest",
    "https://localhost.example.com/",
    "https://internal.example.com/",
  ])("accepts %s", (url) => {
    expect(reasonOf(url)).toBeNull();
  });

  it("gives the URL as it was parsed", () => {
    expect(checkEndpointUrl("HTTPS://EXAMPLE.com:443/a/../b", strict, OWN_HOST)).toEqual({
      ok: true,
      href: "https://example.com/b",
    });
    expect(checkEndpointUrl("https://münchen.example/ü", strict, OWN_HOST)).toEqual({
      ok: true,
      href: "https://xn--mnchen-3ya.example/%C3%BC",
    });
  });

  it.each([
    ["http://example.com/", /https/],
    ["ftp://example.com/", /https/],
    ["file:///etc/passwd", /https/],
    ["javascript:alert(1)", /https/],
    ["data:text/plain,x", /https/],
    ["wss://example.com/", /https/],
    ["gopher://example.com:6379/_FLUSHALL", /https/],
    ["", /absolute URL/],
    ["example.com/hook", /absolute URL/],
    ["//example.com/hook", /absolute URL/],
    ["https://", /absolute URL/],
    ["https://exa mple.com/", /spaces/],
    [" https://example.com/", /spaces/],
    ["https://example.com/\r\nX-Injected: 1", /spaces/],
    ["ht\ntps://example.com/", /spaces/],
    ["https://example.com\t/", /spaces/],
    ["https://example.com/\u0000", /control/],
    ["https:\\\\example.com\\a", /backslashes/],
    ["https://example.com\\@evil.example/", /backslashes/],
    ["https://user@example.com/", /user name/],
    ["https://:secret@example.com/", /user name/],
    ["https://example.com@127.0.0.1/", /user name/],
    ["https://example.com/#top", /fragment/],
    ["https://example.com/#", /fragment/],
    ["https://example.com:22/", /port/],
    ["https://example.com:25/", /port/],
    ["https://example.com:80/", /port/],
    ["https://example.com:1023/", /port/],
    ["https://example.com:0/", /port/],
    ["https://example.com:65536/", /absolute URL/],
    ["https://example.com./", /end with a dot/],
    ["https://example/", /public internet/],
    [`https://example.com/${"a".repeat(2048)}`, /longer than 2048/],
    [`https://example.com/${"ü".repeat(400)}`, /longer than 2048/],
  ])("refuses %j", (url, reason) => {
    expect(reasonOf(url)).toMatch(reason);
  });

  it.each([
    "https://localhost/",
    "https://LOCALHOST/",
    "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "https://localhost./",
    "https://api.localhost/",
    "https://printer.local/",
    "https://db.internal/",
    "https://router.home.arpa/",
    "https://posthorn.default.svc/",
    "https://posthorn.default.svc.cluster.local/",
    "https://metadata/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://instance-data/latest/meta-data/",
  ])("refuses the local name in %s", (url) => {
    expect(accepts(url)).toBe(false);
  });

  const loopbackSpellings = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "①②⑦.⓪.⓪.①",
    "１２７.０.０.１",
    "127。0。0。1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
  ];

  const otherLiterals = [
    "0",
    "0.0.0.0",
    "8.8.8.8",
    "10.0.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "0xA9FEA9FE",
    "2852039166",
    "168.63.129.16",
    "[::]",
    "[2606:4700::1111]",
    "[::7f00:1]",
    "[::ffff:0:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fec0::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "256.256.256.256",
  ];

  it.each([...loopbackSpellings, ...otherLiterals])("refuses the address https://%s/", (host) => {
    expect(accepts(`https://${host}/`)).toBe(false);
  });

  it.each(loopbackSpellings)("accepts http://%s:8080/ where loopback is open", (host) => {
    expect(reasonOf(`http://${host}:8080/hook`, loopback)).toBeNull();
    expect(accepts(`https://${host}/hook`, loopback)).toBe(true);
  });

  it.each(otherLiterals)("refuses http://%s:8080/ where only loopback is open", (host) => {
    expect(accepts(`http://${host}:8080/`, loopback)).toBe(false);
  });
});

describe("checkEndpointUrl where ranges are open", () => {
  it("takes localhost and its subdomains for loopback", () => {
    for (const host of ["localhost", "api.localhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"]) {
      expect(accepts(`http://${host}:3000/hook`, loopback)).toBe(true);
      expect(accepts(`http://${host}:3000/hook`, networks)).toBe(false);
    }
    expect(accepts("http://localhost/", loopback)).toBe(true);
    expect(accepts("http://localhost.:3000/", loopback)).toBe(false);
  });

  it("takes local names when a network is open, not when only loopback is", () => {
    for (const url of [
      "http://consumer:8080/hook",
      "http://host.docker.internal:8080/",
      "https://db.local/",
    ]) {
      expect(reasonOf(url, networks)).toBeNull();
      expect(accepts(url, loopback)).toBe(false);
    }
  });

  it("still wants https for public names", () => {
    expect(accepts("http://example.com/", loopback)).toBe(false);
    expect(accepts("http://example.com/", networks)).toBe(false);
  });

  it("still refuses addresses outside the open ranges and metadata services", () => {
    expect(accepts("http://172.16.0.9:8080/", networks)).toBe(true);
    expect(accepts("http://[fd00::9]:8080/", networks)).toBe(true);
    for (const host of ["127.0.0.1", "10.0.0.1", "8.8.8.8", "metadata", "metadata.google.internal"]) {
      expect(accepts(`http://${host}:8080/`, networks)).toBe(false);
    }
  });

  it("still refuses low ports, user names and fragments", () => {
    expect(accepts("http://127.0.0.1:22/", loopback)).toBe(false);
    expect(accepts("http://user@127.0.0.1:8080/", loopback)).toBe(false);
    expect(accepts("http://127.0.0.1:8080/#x", loopback)).toBe(false);
  });
});

describe("a URL that leads back to this service", () => {
  it.each([
    ["https://posthorn.example/api/v1/events", "posthorn.example"],
    ["HTTPS://POSTHORN.example:443/", "Posthorn.example"],
    ["http://posthorn.example/", "posthorn.example"],
    ["http://127.0.0.1:3000/x", "127.0.0.1:3000"],
    ["http://0x7f.1:3000/x", "127.0.0.1:3000"],
  ])("is refused: %s at %s", (url, ownHost) => {
    expect(reasonOf(url, loopback, ownHost)).toMatch(/back to this service/);
  });

  it("is not one on another port or of another name", () => {
    expect(reasonOf("http://127.0.0.1:4000/x", loopback, "127.0.0.1:3000")).toBeNull();
    expect(reasonOf("https://hooks.posthorn.example/", strict)).toBeNull();
    expect(reasonOf("https://posthorn.example:8443/", strict)).toBeNull();
  });
});
