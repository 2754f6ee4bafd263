import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { addressPolicy } from "#server/domain/address-policy.ts";
import {
  IMPOSSIBLE_HOSTS,
  LOCAL_NAMES,
  LOOPBACK_SPELLINGS,
  LOOPBACK_V6,
  MAPPED_LOOPBACK,
  OTHER_LITERALS,
  PUBLIC_LITERALS,
  REFUSED_RANGES,
} from "#server/domain/testing-targets.ts";
import { A, AAAA, nameServer, v4, v6, type Zone } from "./fixtures/name-server.ts";
import { answering, OK, rawReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";
import { createResolver, type ResolvedAddress } from "./resolver.ts";
import type { SenderOptions } from "./sender.ts";

const BLOCKED = { kind: "error", code: "address_blocked" } as const;
const PUBLIC = "93.184.216.34";
const LITERALS = [...LOOPBACK_SPELLINGS, ...MAPPED_LOOPBACK, ...LOOPBACK_V6, ...OTHER_LITERALS];

const strict = addressPolicy({ allow: [] });
/** Only what the receivers of this file listen on. */
const oneOpen = addressPolicy({ allow: ["127.0.0.1"] });

const at = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** A receiver that must not be reached, and what became of a request to a URL that may lead to it. */
async function trap(options: Partial<SenderOptions>) {
  const receivers = await Promise.all([rawReceiver(answering(OK)), rawReceiver(answering(OK), "::1")]);
  const [{ port }] = receivers;
  const sender = newSender({ policy: strict, connectTimeoutMs: 2000, ...options });
  return {
    port,
    send: (url: string) => sender.send(post(port, { url, timeoutMs: 3000 })),
    reached: () => receivers.reduce((sum, { connections }) => sum + connections, 0),
  };
}

describe("a connection", () => {
  it("is not made to an address that is not public, however it is spelt", async () => {
    const { port, send, reached } = await trap({});
    for (const host of LITERALS)
      for (const url of [`https://${host}:${port}/`, `http://${host}:${port}/`, `https://${host}/`]) {
        const sent = await send(url);
        expect([url, sent.result], url).toEqual([url, BLOCKED]);
        expect(sent).toMatchObject({ status: null, body: null, remoteAddress: null });
        expect(sent.timings).toMatchObject({ connectMs: null, tlsMs: null });
      }
    expect(reached()).toBe(0);
  });

  it("is not made without TLS to an address that is not opened", async () => {
    const { send } = await trap({ resolve: async () => at(PUBLIC) });
    for (const host of [...PUBLIC_LITERALS, "example.com"])
      expect((await send(`http://${host}/`)).result, host).toEqual(BLOCKED);
  });

  it("is not made to what no parser takes for a host", async () => {
    const { port, send, reached } = await trap({ resolve: async () => at("127.0.0.1") });
    for (const host of IMPOSSIBLE_HOSTS) {
      const { result } = await send(`https://${host}:${port}/`);
      expect(result, host).toEqual({ kind: "error", code: "internal" });
    }
    expect(reached()).toBe(0);
  });

  it("is not made to a name of this network, wherever the resolver has it", async () => {
    const { port, send, reached } = await trap({ resolve: async () => at("127.0.0.1", "::1") });
    for (const name of LOCAL_NAMES)
      expect((await send(`https://${name}:${port}/`)).result, name).toEqual(BLOCKED);
    expect(reached()).toBe(0);
  });

  it.each(Object.keys(REFUSED_RANGES))(
    "is not made to a name in %s, alone or among public ones",
    async (range) => {
      const [address = ""] = range.split("/");
      const answers = [
        at(address),
        at(PUBLIC, address),
        at(address, PUBLIC),
        at(PUBLIC, "2606:4700::1", address),
      ];
      if (!address.includes(":"))
        answers.push(at(`::ffff:${address}`), at(`64:ff9b::${address}`), at(`::${address}`));
      for (const answer of answers) {
        const { send, reached } = await trap({ resolve: async () => answer });
        const sent = await send("https://receiver.test/");
        expect(sent, JSON.stringify(answer)).toMatchObject({ result: BLOCKED, remoteAddress: null });
        expect(sent.timings).toMatchObject({ dnsMs: null, connectMs: null });
        expect(reached()).toBe(0);
      }
    },
  );

  it.each([
    "",
    "localhost",
    "127.1",
    "0x7f000001",
    "2130706433",
    "::1%lo",
    "[::1]",
    "127.0.0.1 ",
    "127.0.0.1\0",
  ])("is not made to a name whose resolver says %j", async (text) => {
    const { port, send, reached } = await trap({ policy: oneOpen, resolve: async () => at(text) });
    expect((await send(`http://receiver.test:${port}/`)).result).toEqual(BLOCKED);
    expect(reached()).toBe(0);
  });

  it("is not made to this machine's own address, public as it may be", async () => {
    const receiver = await rawReceiver(answering(OK));
    const everything = { allows: () => true, opens: () => false, opensNetworks: false };
    const url = `https://receiver.test:${receiver.port}/`;
    const sent = await newSender({ policy: everything }).send(post(receiver.port, { url }));
    expect(sent).toMatchObject({ result: BLOCKED, remoteAddress: null });
    expect(receiver.received.join("")).toBe("");

    const own = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    );
    const refusing = addressPolicy({ allow: [], refuse: own });
    for (const address of own) expect(refusing.allows(address), address).toBe(false);
  });
});

describe("a name that changes its mind", () => {
  const CLOSING = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

  it("between registration and the first try is refused then", async () => {
    // It was public, or nothing at all, when it was registered: nobody looks it up for that.
    const { port, send, reached } = await trap({ resolve: async () => at("169.254.169.254") });
    for (const url of ["https://169.254.169.254.nip.io/", `https://rebind.example:${port}/`])
      expect((await send(url)).result).toEqual(BLOCKED);
    expect(reached()).toBe(0);
  });

  it("between two tries is refused at the second, and again reached when it is back", async () => {
    const receiver = await rawReceiver(answering(CLOSING));
    const turns = [at("127.0.0.1"), at("127.0.0.2"), at("127.0.0.1", "10.0.0.1"), at("::1"), at("127.0.0.1")];
    const sender = newSender({ policy: oneOpen, resolve: async () => turns.shift() ?? [] });
    const results = [];
    for (const _ of [1, 2, 3, 4, 5]) {
      const url = `http://receiver.test:${receiver.port}/`;
      results.push((await sender.send(post(receiver.port, { url }))).result);
    }
    expect(results).toEqual([
      { kind: "response", status: 200 },
      BLOCKED,
      BLOCKED,
      BLOCKED,
      { kind: "response", status: 200 },
    ]);
    expect(receiver.connections).toBe(2);
  });

  it("is asked once for a connection: what is connected to is what was checked", async () => {
    const receiver = await rawReceiver(answering(CLOSING));
    let asked = 0;
    const sender = newSender({
      policy: oneOpen,
      resolve: async () => (asked++ ? at("10.0.0.1") : at("127.0.0.1")),
    });
    const url = `http://receiver.test:${receiver.port}/`;
    expect(await sender.send(post(receiver.port, { url }))).toMatchObject({ remoteAddress: "127.0.0.1" });
    expect(asked).toBe(1);
  });

  it("keeps its standing connection, which leads where it was checked to lead", async () => {
    const receiver = await rawReceiver(answering(OK));
    let address = "127.0.0.1";
    const sender = newSender({ policy: oneOpen, resolve: async () => at(address) });
    const url = `http://receiver.test:${receiver.port}/`;
    const send = () => sender.send(post(receiver.port, { url }));
    expect((await send()).status).toBe(200);
    address = "10.0.0.1";
    expect(await send()).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
    // A second connection is checked as any other.
    const parallel = await Promise.all([send(), send()]);
    expect(parallel.map(({ result }) => result)).toEqual([{ kind: "response", status: 200 }, BLOCKED]);
    expect(receiver.connections).toBe(1);
  });
});

describe("by the name servers of the world", () => {
  const CNAME = { cname: "internal.example" };
  const zones: [string, Zone][] = [
    ["an alias of a private name", (type) => (type === A ? [CNAME, v4("127.0.0.1")] : [CNAME])],
    ["an alias of an alias", (type) => (type === A ? [CNAME, { cname: "b.example" }, v4("10.0.0.1")] : [])],
    ["public by IPv4 and private by IPv6", (type) => (type === A ? [v4(PUBLIC)] : [v6("fd00::1")])],
    ["private by IPv4 and public by IPv6", (type) => (type === A ? [v4("10.0.0.1")] : [v6("2606:4700::1")])],
    ["one private among many", (type) => (type === A ? [v4(PUBLIC), v4("8.8.8.8"), v4("127.0.0.1")] : [])],
    ["nothing by IPv4, loopback by IPv6", (type) => (type === AAAA ? [v6("::1")] : [])],
    ["NAT64 of loopback", (type) => (type === AAAA ? [v6("64:ff9b::7f00:1")] : [])],
    ["mapped loopback", (type) => (type === AAAA ? [v6("::ffff:7f00:1")] : [])],
    ["this network", (type) => (type === A ? [v4("0.0.0.0")] : [])],
  ];

  it.each(zones)("%s is refused", async (_, zone) => {
    const { dns } = await nameServer(zone);
    const resolve = createResolver({ dns, hostsFile: "/nonexistent/hosts" });
    const { port, send, reached } = await trap({ resolve });
    for (const url of [`https://receiver.example:${port}/`, `https://receiver.example.:${port}/`])
      expect((await send(url)).result).toEqual(BLOCKED);
    expect(reached()).toBe(0);
  });

  it("what is rebound with a TTL of 0 is followed, and refused", async () => {
    let address = "127.0.0.1";
    const { dns } = await nameServer((type) => (type === A ? [v4(address)] : []), 0);
    const resolve = createResolver({ dns, hostsFile: "/nonexistent/hosts" });
    const { port, send, reached } = await trap({ policy: oneOpen, resolve });
    const url = `http://receiver.example:${port}/`;
    expect((await send(url)).status).toBe(200);
    address = "169.254.169.254";
    const rebound = newSender({
      policy: oneOpen,
      resolve: createResolver({ dns, hostsFile: "/nonexistent/hosts" }),
    });
    expect((await rebound.send(post(port, { url }))).result).toEqual(BLOCKED);
    expect(reached()).toBe(1);
  });
});
