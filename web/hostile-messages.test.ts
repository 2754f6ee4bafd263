import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "./testing/api-calls.ts";
import {
  hostileHeaderLists,
  hostileHeaders,
  hostileMethods,
  hostilePaths,
  hostileQueries,
  hostileTargets,
} from "./testing/hostile-messages.ts";
import { type HostileRun, openHostileRun } from "./testing/hostile-run.ts";

let run: HostileRun;
beforeAll(async () => {
  run = await openHostileRun();
});
afterAll(() => run.close());

describe.each(calls)("$name", (call) => {
  it("takes or refuses whatever its headers say", async () => {
    expect(await run.attack(call, [...hostileHeaders(call), ...hostileHeaderLists()])).toEqual([]);
  });

  it("takes or refuses whatever its path is", async () => {
    expect(await run.attack(call, [...hostilePaths(call), ...hostileTargets()])).toEqual([]);
  });

  it("takes or refuses whatever its query asks", async () => {
    expect(await run.attack(call, hostileQueries(call))).toEqual([]);
  });

  it("takes or refuses every method on its path", async () => {
    expect(await run.attack(call, hostileMethods())).toEqual([]);
  });
});

it("leaves the server as it was: ready, and without an error in its log", async () => {
  expect((await fetch(`${run.api.server.origin}/readyz`)).status).toBe(200);
  expect(run.logged).toEqual([]);
  expect(run.sent()).toBeGreaterThan(calls.length * 150);
});
