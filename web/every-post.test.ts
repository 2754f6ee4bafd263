import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import type { Answer, TestApi } from "./test-support.ts";
import { type ApiCall, calls } from "./testing/api-calls.ts";
import { type RightRequest, rightRequest, sendRight } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

const posts = calls.filter(({ operation }) => operation.method === "POST");
const others = calls.filter(({ operation }) => operation.method !== "POST");
const slugOf = ({ status, json }: Answer) => [status, json?.type?.split("/").at(-1)];
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

/** What is of the answer, and not of its delivery. */
function content({ status, text, headers }: Answer): unknown {
  const kept = ["content-type", "location", "etag", "cache-control", "link"];
  return { status, text, headers: kept.map((name) => headers.get(name)) };
}

/** Another body that the call takes: a member less, or one that is spelled otherwise. */
function otherBody({ operation, body }: ApiCall): string | undefined {
  const example = (body?.example ?? {}) as Record<string, unknown>;
  const candidates = Object.entries(example).flatMap(([name, value]) => {
    const { [name]: _gone, ...rest } = example;
    return [rest, { ...example, [name]: `${value}x` }, { ...example, [name]: Number(value) + 1 }];
  });
  const found = candidates.find((candidate) => operation.body?.safeParse(candidate).success);
  return found && JSON.stringify(found);
}

const rows = async ({ shop }: RightRequest) => {
  const [row] = await api.services.db.query<{ n: string }>(
    "select count(*) || ' ' || coalesce(max(sequence), 0) as n from events where tenant_id = $1",
    [shop.tenant.id],
  );
  return row?.n;
};

describe.each(posts)("$name", (call) => {
  it("happens once for one Idempotency-Key, quoted or bare, and gives the first answer again", async () => {
    const right = await rightRequest(api, call);
    const first = await sendRight(right, keyed("one"));
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const stored = await rows(right);
    for (const key of ["one", '"one"']) {
      const again = await sendRight(right, keyed(key));
      expect(again.headers.get("idempotent-replayed"), again.text).toBe("true");
      expect(content(again)).toEqual(content(first));
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
    expect(await rows(right)).toBe(stored);
  });

  it("takes nothing else for a key that is no 1 to 255 visible ASCII characters", async () => {
    const right = await rightRequest(api, call);
    for (const key of ["", '""', "two words", "x".repeat(256), "\t"])
      expect([key, ...slugOf(await sendRight(right, keyed(key)))]).toEqual([key, 400, "invalid-parameter"]);
    expect((await sendRight(right, keyed("x".repeat(255)))).status).toBeLessThan(500);
  });

  it("keeps no secret with the answer that it stores", async () => {
    const right = await rightRequest(api, call);
    const answer = await sendRight(right, keyed("secret"));
    const secrets = answer.text.match(/whsec_[A-Za-z0-9+/=]{20,}|\bph_[a-z]+_\w+_\w+/g) ?? [];
    const [record] = await api.services.db.query<{ record: string }>(
      "select r::text as record from idempotency_records r where tenant_id = $1 and key = 'secret' order by created_at desc",
      [call.operation.tenant === "none" ? INSTALLATION : right.shop.tenant.id],
    );
    expect(record?.record).toBeDefined();
    for (const secret of secrets) expect(record?.record).not.toContain(secret);
  });
});

describe.each(posts.filter((call) => otherBody(call)))("$name", (call) => {
  it("refuses another request under the same key", async () => {
    const right = await rightRequest(api, call);
    const first = await sendRight(right, keyed("reused"));
    expect(first.status, first.text).toBeLessThan(500);
    const body = otherBody(call) ?? "";
    expect([body, ...slugOf(await sendRight(right, { ...keyed("reused"), body }))]).toEqual([
      ...[body, 422, "idempotency-key-reused"],
    ]);
  });
});

describe.each(others)("$name", (call) => {
  it("has no use for an Idempotency-Key", async () => {
    const right = await rightRequest(api, call);
    const answer = await sendRight(right, keyed("two words"));
    expect([200, 201, 202, 204, 409], answer.text).toContain(answer.status);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  });
});
