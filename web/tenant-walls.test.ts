import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toId } from "#contracts/ids.ts";
import { takesApiKey } from "#server/http/openapi/access.ts";
import type { Answer, CallOptions, TestApi } from "./test-support.ts";
import { type ApiCall, calls, fillPath } from "./testing/api-calls.ts";
import {
  absentLike,
  isNamed,
  makeParams,
  type Params,
  parameterName,
  resourcePaths,
  type Shop,
} from "./testing/resources.ts";
import { staffHeaders } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";
import { digestOf, visible, visibleNews } from "./testing/walls.ts";

let api: TestApi;
let victim: Shop;
let stranger: Shop;
beforeAll(async () => {
  api = await openStaffApi();
  victim = { api, tenant: api.tenant };
  stranger = { api, tenant: await api.addTenant() };
});
afterAll(() => api.close());

const guarded = calls.filter(
  ({ operation, pathParameters }) => pathParameters.length > 0 && takesApiKey(operation),
);

/** A path whose one parameter is the victim's, beside the same path with one that nobody has. */
interface Pair {
  foreign: Params;
  absent: Params;
  /** What differs between the two. */
  names: [foreign: string, absent: string];
  isNamed: boolean;
}

/** For each id in the path: the victim's in it, below what is the stranger's own; what follows is the victim's too. */
async function pairsOf({ operation: { path } }: ApiCall): Promise<Pair[]> {
  const theirs = await makeParams(victim, path);
  const own = resourcePaths(path).length > 1 ? await makeParams(stranger, path) : {};
  return resourcePaths(path).flatMap((resource, level, all) => {
    // A name below something of one's own is one's own.
    if (level > 0 && isNamed(resource)) return [];
    const above = all.slice(0, level).map(parameterName);
    const foreign: Params = {
      ...theirs,
      ...Object.fromEntries(above.map((name) => [name, own[name] ?? ""])),
    };
    const parameter = parameterName(resource);
    const real = foreign[parameter] ?? "";
    const other = absentLike(real);
    return [
      {
        foreign,
        absent: { ...foreign, [parameter]: other },
        names: [real, other],
        isNamed: isNamed(resource),
      },
    ];
  });
}

/** What may come with the call: bodies that are right, wrong and none, under every condition. */
function variantsOf({ operation, body }: ApiCall): CallOptions[] {
  const bodies: CallOptions[] = body
    ? [
        { json: body.example },
        { json: { "no such member": 1 } },
        { body: "{" },
        { body: "[]", headers: { "content-type": "text/plain" } },
        { body: " ".repeat(300_000) },
        {},
      ]
    : [{}];
  const conditions: Record<string, string>[] = [
    {},
    ...['"1"', '"999"', 'W/"1"', "*", "nonsense"].map((tag) => ({ "if-match": tag })),
    { "if-none-match": '"1"' },
    { "idempotency-key": "a-key" },
    { "idempotency-key": "two words" },
    { "idempotency-key": "b-key", "if-match": '"1"', prefer: "return=minimal" },
    { "posthorn-tenant": toId("tenant", victim.tenant.id) },
  ];
  const queries = operation.method === "GET" ? [{}] : bodies;
  return queries.flatMap((sent) =>
    conditions.map((more) => ({ ...sent, headers: { ...sent.headers, ...more } })),
  );
}

/** A member of staff who acts on the stranger's tenant. */
const asStaff = (): CallOptions => ({ key: null, headers: staffHeaders(stranger, "admin") });

async function answersTo(call: ApiCall, pair: Pair, options: CallOptions): Promise<[Answer, Answer]> {
  const { method, path } = call.operation;
  const send = (params: Params) =>
    api.call(method, fillPath(path, params), { key: stranger.tenant.key, ...options });
  return Promise.all([send(pair.foreign), send(pair.absent)]);
}

describe.each(guarded)("$name", (call) => {
  it("answers another tenant's id as one that never existed, and touches nothing of it", async () => {
    const pairs = await pairsOf(call);
    expect(pairs.length).toBeGreaterThan(0);
    const before = await digestOf(api.services.db, victim.tenant.id);
    for (const pair of pairs)
      for (const options of [...variantsOf(call), { ...asStaff(), json: call.body?.example }]) {
        const [foreign, absent] = await answersTo(call, pair, options);
        const message = JSON.stringify([pair.names, options.headers, String(options.body).slice(0, 20)]);
        if (!pair.isNamed) {
          expect([foreign.status, absent.status], message).toEqual(pairStatus(options, foreign));
          expect(visible(foreign), message).toEqual(visible(absent));
        } else {
          expect(visibleNews(foreign, pair.names), message).toEqual(visibleNews(absent, pair.names));
        }
      }
    expect(await digestOf(api.services.db, victim.tenant.id)).toEqual(before);
  });

  it("finds the same resource for whom it belongs to", async () => {
    const path = fillPath(call.operation.path, await makeParams(victim, call.operation.path));
    const headers = { "if-match": '"1"', "idempotency-key": "the-owner's" };
    const answer = await api.call(call.operation.method, path, { json: call.body?.example, headers });
    expect(answer.status, answer.text).not.toBe(404);
  });
});

// Nothing is asked of a request before it is known that what it names is there; a scope that staff lack comes first.
function pairStatus(options: CallOptions, { status }: Answer): [number, number] {
  return options.key === null && status === 403 ? [403, 403] : [404, 404];
}
