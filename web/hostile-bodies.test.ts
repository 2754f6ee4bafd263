import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "#server/http/route.ts";
import { calls, document } from "./testing/api-calls.ts";
import {
  garbledBodies,
  type HostileBody,
  hostileMembers,
  hostileTypes,
  hostileWholes,
} from "./testing/hostile-bodies.ts";
import {
  type HostileCase,
  type HostileRun,
  headersOf,
  openHostileRun,
  targetOf,
} from "./testing/hostile-run.ts";

let run: HostileRun;
beforeAll(async () => {
  run = await openHostileRun();
});
afterAll(() => run.close());

/** Decides on what is changed at random, so that each run sends the same. */
const SEED = 20_261_121;

const withBody = calls.filter(({ body }) => body);

/** The call as it should be with another body. */
const toCase = ({ name, bytes, contentType = "application/json" }: HostileBody): HostileCase => ({
  name: `the body: ${name}`,
  spoil: (right) => ({
    method: right.method,
    target: targetOf(right),
    headers: headersOf(right, { "content-type": contentType }),
    body: bytes,
  }),
});

describe.each(withBody)("$name", (call) => {
  const { schema = {}, example = {} } = call.body ?? {};
  const maxBytes = call.operation.maxBodyBytes ?? MAX_BODY_BYTES;

  it("takes or refuses whatever its members are", async () => {
    const bodies = hostileMembers(schema, example, document.components.schemas);
    expect(await run.attack(call, bodies.map(toCase))).toEqual([]);
  });

  it("takes or refuses whatever its body is as a whole, and whatever it calls itself", async () => {
    const bodies = [...hostileWholes(example, maxBytes), ...hostileTypes(example)];
    expect(await run.attack(call, bodies.map(toCase))).toEqual([]);
  });

  it(`takes or refuses whatever becomes of its bytes (seed ${SEED})`, async () => {
    const bodies = garbledBodies(example, { seed: SEED, count: 60 });
    expect(await run.attack(call, bodies.map(toCase))).toEqual([]);
  });
});

it("leaves the server as it was: ready, without an error in its log, and with plain objects plain", async () => {
  expect((await fetch(`${run.api.server.origin}/readyz`)).status).toBe(200);
  expect(run.logged).toEqual([]);
  expect("polluted" in {}).toBe(false);
  expect(run.sent()).toBeGreaterThan(withBody.length * 200);
});
