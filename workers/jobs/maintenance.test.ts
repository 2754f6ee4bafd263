import { expect, it } from "vitest";
import { engineFor } from "#tests/engine-for.ts";
import { eventually } from "#tests/eventually.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { maintenancePollers } from "./maintenance.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

it("deletes all answers whose time is over as soon as a worker has started", async () => {
  const { db, boss, log } = engine;
  await db.query(
    `insert into idempotency_records (tenant_id, principal_id, method, path, key, fingerprint, expires_at)
     select $1, 'p', 'POST', '/orders', n::text, '', now() + case when n <= 2100 then interval '-1 s' else interval '1 h' end
       from generate_series(1, 2101) n`,
    [engine.tenantId],
  );
  const pollers = maintenancePollers({
    db,
    boss,
    log,
    now: () => new Date(),
    wakeWorkers() {},
    retryScale: 1,
    retentionDays: 30,
  });
  for (const poller of pollers) poller.start();
  const left = () => db.query("select key from idempotency_records");
  await eventually(async () => expect(await left()).toEqual([{ key: "2101" }]));
  await Promise.all(pollers.map((poller) => poller.stop()));
});
