import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { A, AAAA, NXDOMAIN, nameServer, v4, v6, type Zone } from "./fixtures/name-server.ts";
import { createResolver } from "./resolver.ts";

const noHosts = "/nonexistent/hosts";
const resolverOf = async (zone: Zone, ttl?: number) => {
  const { dns, questions } = await nameServer(zone, ttl);
  return { resolve: createResolver({ dns, hostsFile: noHosts }), questions };
};

describe("the resolver", () => {
  it("gives every address of both families, IPv4 first", async () => {
    const { resolve } = await resolverOf((type) =>
      type === A ? [v4("192.0.2.1"), v4("192.0.2.2")] : [v6("2001:db8::1")],
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
      type === family ? [type === A ? v4("192.0.2.1") : v6("2001:db8::1")] : [],
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
    await eventually(
      async () => expect(await resolve("receiver.test")).toEqual([{ address: "192.0.2.2", family: 4 }]),
      3_000,
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
