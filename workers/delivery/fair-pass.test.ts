import { expect, it } from "vitest";
import { crowdingTenants, FairPass } from "./fair-pass.ts";

it("passes over the tenants that have half of an even share in hand", () => {
  expect(crowdingTenants(new Map(), 1_000)).toEqual([]);
  expect(crowdingTenants(new Map([["a", 499]]), 1_000)).toEqual([]);
  expect(crowdingTenants(new Map([["a", 500]]), 1_000)).toEqual(["a"]);
  const shared = new Map([
    ["a", 900],
    ["b", 100],
    ["c", 200],
    ["d", 1],
  ]);
  expect(crowdingTenants(shared, 1_000)).toEqual(["a", "c"]);
});

it("looks soon again where it has found something, more rarely where it has not, and not at all where nobody crowds", async () => {
  const looks: number[] = [];
  let found = 1;
  let now = 0;
  const take = async () => {
    looks.push(now);
    return { jobs: found };
  };
  const pass = new FairPass(take, () => now);
  const until = async (end: number, crowding: string[]) => {
    for (; now <= end; now += 10) await pass.run(now, crowding);
  };
  await until(300, ["a"]);
  expect(looks).toEqual([0, 100, 200, 300]);
  found = 0;
  await until(5_000, ["a"]);
  expect(looks.slice(4)).toEqual([400, 600, 1_000, 1_800, 2_800, 3_800, 4_800]);
  await until(10_000, []);
  expect(looks).toHaveLength(11);
});

it("rests for fifty times as long as a look took that found nothing", async () => {
  let now = 0;
  const take = async () => {
    now += 60;
    return { jobs: 0 };
  };
  const pass = new FairPass(take, () => now);
  await pass.run(now, ["a"]);
  expect(pass.nextAt).toBe(3_000);
});
