import { expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { rotateSecret } from "#server/endpoints/rotate-secret.ts";
import { engineFor } from "#tests/engine-for.ts";
import type { TestEngine } from "../delivery/test-support.ts";
import { testContext } from "../delivery/testing-context.ts";
import { announceExpiring } from "./announce-expiring.ts";

let engine: TestEngine;
engineFor("all", (opened) => {
  engine = opened;
});

it("tells once of each key that expires within a day, and of none that ends later or has ended", async () => {
  const ctx = testContext(engine);
  const [soon, later, ended] = await Promise.all(
    ["a", "b", "c"].map((host) => engine.addEndpoint({ url: `https://${host}.example.com` })),
  );
  const overlaps = [
    [soon, 3_600],
    [later, 604_800],
    [ended, 0],
  ] as const;
  for (const [endpoint, overlap_seconds] of overlaps)
    await rotateSecret(ctx, endpoint?.id ?? "", { overlap_seconds });

  const deps = { ...engine, now: () => new Date(), wakeWorkers() {} };
  const rounds = await Promise.all([1, 2, 3].map(() => announceExpiring(deps)));
  expect(rounds.filter(Boolean)).toHaveLength(1);
  expect(await announceExpiring(deps)).toBe(false);
  const told = await engine.db.query<{ type: string; body: string }>("select type, body from events");
  expect(told.map(({ type }) => type)).toEqual(["posthorn.secret.expiring"]);
  expect(JSON.parse(told[0]?.body ?? "{}").data).toEqual({
    endpoint_id: toId("endpoint", soon?.id ?? ""),
    url: "https://a.example.com",
    kid: "v1",
    expires_at: expect.stringMatching(/Z$/),
  });
});
