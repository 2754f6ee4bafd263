import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createResolver } from "./resolver.ts";

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** What a name server says to a question: addresses as bytes, an error, or nothing at all. */
type Zone = (type: number) => Buffer[] | typeof NXDOMAIN | undefined;

const v4 = (address: string) => Buffer.from(address.split(".").map(Number));
const v6 = (last: number) => Buffer.from([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);

/** A name server on a loopback port (RFC 1035) that gives the same for every name. */
async function nameServer(zone: Zone, ttl = 1): Promise<{ dns: Resolver; questions: number[] }> {
  const questions: number[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, peer) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    questions.push(type);
    const found = zone(type);
    if (found === undefined) return;
    const answers = found === NXDOMAIN ? [] : found;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found === NXDOMAIN ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const records = answers.map((address) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(ttl, 6);
      record.writeUInt16BE(address.length, 10);
      return Buffer.concat([record, address]);
    });
    socket.send(Buffer.concat([header, question, ...records]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const dns = new Resolver({ timeout: 300, tries: 1 });
  dns.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  onTestFinished(() => {
    dns.cancel();
    socket.close();
  });
  return { dns, questions };
}

const noHosts = "/nonexistent/hosts";
const resolverOf = async (zone: Zone, ttl?: number) => {
  const { dns, questions } = await nameServer(zone, ttl);
  return { resolve: createResolver({ dns, hostsFile: noHosts }), questions };
};

describe("the resolver", () => {
  it("gives every address of both families, IPv4 first", async () => {
    const { resolve } = await resolverOf((type) =>
      type === A ? [v4("192.0.2.1"), v4("192.0.2.2")] : [v6(1)],
    );
    const addresses = await resolve("receiver.test");
    expect(addresses.slice().sort((a, b) => a.address.localeCompare(b.address))).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
    expect(addresses.map(({ family }) => family)).toEqual([4, 4, 6]);
  });

  it.each([
    [A, "192.0.2.1"],
    [AAAA, "2001:db8::1"],
  ])("is content with one family (type %i)", async (family, address) => {
    const { resolve } = await resolverOf((type) =>
      type === family ? [type === A ? v4("192.0.2.1") : v6(1)] : [],
    );
    expect((await resolve("receiver.test")).map((each) => each.address)).toEqual([address]);
  });

  it("does not wait for a family that the name server is silent about", async () => {
    const { resolve } = await resolverOf((type) => (type === A ? [v4("192.0.2.1")] : undefined));
    expect(await resolve("receiver.test")).toEqual([{ address: "192.0.2.1", family: 4 }]);
  });

  it("rejects when the name does not exist, has no address, or nobody answers", async () => {
    const zones: Zone[] = [() => NXDOMAIN, () => [], () => undefined];
    for (const zone of zones) {
      const { resolve } = await resolverOf(zone);
      await expect(resolve("receiver.test")).rejects.toThrow();
    }
  });

  it("asks once for parallel questions, and not again within the TTL", async () => {
    const { resolve, questions } = await resolverOf((type) => (type === A ? [v4("192.0.2.1")] : []), 30);
    await Promise.all(Array.from({ length: 50 }, () => resolve("receiver.test")));
    await resolve("receiver.test");
    expect(questions.sort()).toEqual([A, AAAA]);
    await resolve("other.test");
    expect(questions).toHaveLength(4);
  });

  it("asks again after the TTL", async () => {
    let address = "192.0.2.1";
    const { resolve } = await resolverOf((type) => (type === A ? [v4(address)] : []), 0);
    expect(await resolve("receiver.test")).toEqual([{ address: "192.0.2.1", family: 4 }]);
    address = "192.0.2.2";
    await vi.waitFor(
      async () => expect(await resolve("receiver.test")).toEqual([{ address: "192.0.2.2", family: 4 }]),
      { timeout: 3000 },
    );
  });

  it("prefers the hosts file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hosts-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const hostsFile = join(folder, "hosts");
    await writeFile(
      hostsFile,
      "127.0.0.1 localhost\n# 192.0.2.9 receiver.test\n172.17.0.1\tgateway Receiver.Test # ours\nfd00::1 receiver.test\nnonsense receiver.test\n",
    );
    const { dns, questions } = await nameServer(() => [v4("192.0.2.1")]);
    const resolve = createResolver({ dns, hostsFile });
    expect(await resolve("receiver.test")).toEqual([
      { address: "172.17.0.1", family: 4 },
      { address: "fd00::1", family: 6 },
    ]);
    expect(questions).toEqual([]);
  });
});
