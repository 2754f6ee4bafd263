import { describe, expect, it, vi } from "vitest";
import { addressPolicy } from "#server/domain/address-policy.ts";
import { eventually } from "#tests/eventually.ts";
import { answering, closedPort, OK, rawReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";
import type { ResolvedAddress } from "./resolver.ts";

const BLOCKED = { kind: "error", code: "address_blocked" } as const;

const at = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("the address guard", () => {
  it("refuses localhost without asking the resolver", async () => {
    const receiver = await rawReceiver(answering(OK));
    const resolve = vi.fn(async () => at("8.8.8.8"));
    const sender = newSender({ policy: addressPolicy({ allow: [] }), resolve });
    for (const host of ["localhost", "api.localhost"]) {
      const sent = await sender.send(post(receiver.port, { url: `http://${host}:${receiver.port}/` }));
      expect(sent.result).toEqual(BLOCKED);
    }
    expect(resolve).not.toHaveBeenCalled();
    expect(receiver.connections).toBe(0);
  });

  it("takes for localhost the loopback addresses that are open", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender({ policy: addressPolicy({ allow: ["127.0.0.0/8"] }) });
    const sent = await sender.send(post(receiver.port, { url: `http://localhost:${receiver.port}/` }));
    expect(sent).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
  });

  it.each([
    ["a private address", at("10.0.0.1")],
    ["the metadata service", at("169.254.169.254")],
    ["an IPv4-mapped private address", at("::ffff:127.0.0.2")],
    ["one private address among good ones", at("127.0.0.1", "192.168.0.1")],
    ["one private IPv6 address among good ones", at("127.0.0.1", "fd00::1")],
    ["no address at all but text", at("localhost")],
    ["an address with a zone", at("fe80::1%lo")],
  ])("refuses a name that resolves to %s", async (_, addresses) => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender({
      policy: addressPolicy({ allow: ["127.0.0.1/32"] }),
      resolve: async () => addresses,
    });
    const sent = await sender.send(post(receiver.port, { url: `http://receiver.test:${receiver.port}/` }));
    expect(sent.result).toEqual(BLOCKED);
    expect(receiver.connections).toBe(0);
  });

  it.each(["http", "https"])("checks the peer again before the first byte over %s", async (protocol) => {
    const receiver = await rawReceiver(answering(OK));
    const verdicts = [true, false];
    const verdict = () => verdicts.shift() ?? false;
    const policy = { allows: verdict, opens: verdict, opensNetworks: false };
    const sent = await newSender({ policy }).send(
      post(receiver.port, { url: `${protocol}://receiver.test:${receiver.port}/` }),
    );
    expect(sent).toMatchObject({ result: BLOCKED, remoteAddress: null });
    await eventually(() => expect(receiver.connections).toBe(1));
    await eventually(() => expect(receiver.open).toBe(0));
    expect(receiver.received).toEqual([""]);
  });
});

describe("a name", () => {
  it("that does not resolve is a DNS failure", async () => {
    const url = `http://receiver.test:${await closedPort()}/`;
    const failures = [
      async () => {
        throw Object.assign(new Error("queryA ECONNREFUSED"), { code: "ECONNREFUSED" });
      },
      async () => [],
      () => Promise.reject("no error object"),
    ];
    for (const resolve of failures) {
      const sent = await newSender({ resolve }).send(post(0, { url }));
      expect(sent.result).toEqual({ kind: "error", code: "dns_failure" });
      expect(sent.timings).toMatchObject({ dnsMs: null, connectMs: null });
    }
  });

  it("that is not resolved in time is a DNS failure too", async () => {
    const resolve = () => new Promise<never>(() => {});
    const url = `http://receiver.test:${await closedPort()}/`;
    const byConnectTimeout = await newSender({ resolve, connectTimeoutMs: 100 }).send(post(0, { url }));
    const byDeadline = await newSender({ resolve }).send(post(0, { url, timeoutMs: 100 }));
    for (const { result, timings } of [byConnectTimeout, byDeadline]) {
      expect(result).toEqual({ kind: "error", code: "dns_failure" });
      expect(timings.totalMs).toBeLessThan(1000);
    }
  });

  it("with several addresses is reached at the first that answers", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender({ resolve: async () => at("127.0.0.9", "::1", "127.0.0.1") });
    const sent = await sender.send(post(receiver.port, { url: `http://receiver.test:${receiver.port}/` }));
    expect(sent).toMatchObject({ status: 200, remoteAddress: "127.0.0.1" });
  });

  it("none of whose addresses answers is a refused connection", async () => {
    const port = await closedPort();
    const sender = newSender({ resolve: async () => at("127.0.0.1", "127.0.0.2") });
    const sent = await sender.send(post(port, { url: `http://receiver.test:${port}/` }));
    expect(sent.result).toEqual({ kind: "error", code: "connection_refused" });
    expect(sent.timings.dnsMs).toEqual(expect.any(Number));
  });
});
