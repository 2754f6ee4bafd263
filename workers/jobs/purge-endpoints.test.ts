import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { purgeEndpoints } from "./purge-endpoints.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

it("deletes what was left of an endpoint after thirty days, once no delivery refers to it", async () => {
  const { db } = engine;
  const add = () => engine.addEndpoint({ url: "https://example.com" });
  const used = await add();
  await engine.publish("OrderCreated");
  const [unused, alive] = [await add(), await add()];
  await db.query("delete from endpoint_secrets");
  await db.query("update webhook_endpoints set deleted_at = now() where id <> $1", [alive.id]);
  const purge = (daysLater: number) =>
    purgeEndpoints({ db, now: () => new Date(Date.now() + daysLater * 86_400_000) });
  const left = async () =>
    (await db.query("select id from webhook_endpoints order by id")).map(({ id }) => id);

  expect(await purge(29)).toBe(false);
  expect(await left()).toEqual([used.id, unused.id, alive.id]);
  expect(await purge(31)).toBe(false);
  expect(await left()).toEqual([used.id, alive.id]);
  await db.query("truncate deliveries, undelivered");
  await purge(31);
  expect(await left()).toEqual([alive.id]);
});
