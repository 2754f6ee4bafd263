import { uuidv7 } from "uuidv7";
import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { purgePortalLinks } from "./purge-portal-links.ts";
import { purgeReplays } from "./purge-replays.ts";
import { purgeStaff } from "./purge-staff.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

const later = (days: number) => ({ db: engine.db, now: () => new Date(Date.now() + days * 86_400_000) });

it("deletes replays thirty days after their end, and none that waits for anything or has not ended", async () => {
  const { db, tenantId } = engine;
  const endpoint = await engine.addEndpoint({ url: "https://example.com" });
  const [ended, waiting, running] = [uuidv7(), uuidv7(), uuidv7()];
  for (const id of [ended, waiting, running])
    await db.query(
      `insert into replays (tenant_id, id, endpoint_id, kind, selection, total, created_at, status, completed_at)
       values ($1, $2, $3, 'replay', '{}', 0, now(), $4, $5)`,
      [
        tenantId,
        id,
        endpoint.id,
        id === running ? "running" : "completed",
        id === running ? null : new Date(),
      ],
    );
  await db.query("insert into replay_items (tenant_id, replay_id, delivery_id) values ($1, $2, $2)", [
    tenantId,
    waiting,
  ]);
  const left = async () => (await db.query("select id from replays order by id")).map(({ id }) => id);

  await purgeReplays(later(29));
  expect(await left()).toEqual([ended, waiting, running]);
  expect(await purgeReplays(later(31))).toBe(false);
  expect(await left()).toEqual([waiting, running]);
});

it("deletes a thousand replays at a time", async () => {
  const { db, tenantId } = engine;
  const endpoint = await engine.addEndpoint({ url: "https://example.com" });
  await db.query(
    `insert into replays (tenant_id, id, endpoint_id, kind, selection, total, created_at, status, completed_at)
     select $1, gen_random_uuid(), $2, 'replay', '{}', 0, now(), 'completed', now() from generate_series(1, 1500)`,
    [tenantId, endpoint.id],
  );
  expect([await purgeReplays(later(31)), await purgeReplays(later(31))]).toEqual([true, false]);
});

it("deletes links to the portal thirty days after their end", async () => {
  const { db, tenantId } = engine;
  for (const days of [0, 5])
    await db.query(
      `insert into portal_links (tenant_id, id, token_hash, name, access, frame_ancestors, created_by, created_at, expires_at)
       values ($1, gen_random_uuid(), $2, 'Kim', '{}', '{}', 'cli', now(), now() + make_interval(days => $3))`,
      [tenantId, Buffer.from([days]), days],
    );
  const left = async () => (await db.query("select id from portal_links")).length;

  expect([await purgePortalLinks(later(29)), await left()]).toEqual([false, 2]);
  expect([await purgePortalLinks(later(31)), await left()]).toEqual([false, 1]);
});

it("deletes sessions, verifications and counted attempts of staff a day after they have ended", async () => {
  const { db } = engine;
  await db.query("insert into staff_users (id, name, email) values ('u', 'U', 'u@example.com')");
  for (const [id, hours] of [
    ["ended", -25],
    ["fresh", -23],
    ["valid", 5],
  ] as const) {
    const at = new Date(Date.now() + hours * 3_600_000);
    await db.query("insert into staff_sessions (id, token, user_id, expires_at) values ($1, $1, 'u', $2)", [
      id,
      at,
    ]);
    await db.query(
      "insert into staff_verifications (id, identifier, value, expires_at) values ($1, $1, 'v', $2)",
      [id, at],
    );
    await db.query("insert into staff_rate_limits (id, key, count, last_request) values ($1, $1, 1, $2)", [
      id,
      at.getTime(),
    ]);
  }
  expect(await purgeStaff(later(0))).toBe(false);
  for (const table of ["staff_sessions", "staff_verifications", "staff_rate_limits"])
    expect(await db.query(`select id from ${table} order by id`), table).toEqual([
      { id: "fresh" },
      { id: "valid" },
    ]);
});
