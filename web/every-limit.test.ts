import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takesApiKey } from "#server/http/openapi/access.ts";
import { openTestApi, type TestApi } from "./test-support.ts";
import { type ApiCall, calls, fillPath } from "./testing/api-calls.ts";

const PER_SECOND = 1;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ rateLimits: { requests: PER_SECOND, events: PER_SECOND } });
});
afterAll(() => api.close());

function send({ operation: { method, path }, body }: ApiCall, key: string) {
  const params = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "absent"]),
  );
  return api.call(method, `${fillPath(path, params)}?no_such_parameter=1`, { key, json: body?.example });
}

describe.each(calls.filter(({ operation }) => takesApiKey(operation)))("$name", (call) => {
  it("tells what is left of the limit in every answer, and refuses what is beyond it", async () => {
    const { key } = await api.addTenant();
    const answers = [];
    // A second gives one more: the burst of two is used up before that, or after it.
    for (let sent = 0; sent < 10 && answers.at(-1)?.status !== 429; sent++)
      answers.push(await send(call, key));
    const last = answers.at(-1);
    expect([last?.status, last?.json.type]).toEqual([429, `${api.server.origin}/problems/rate-limited`]);
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    for (const { headers, status } of answers) {
      const name = call.operation.publishes ? "events" : "requests";
      expect(headers.get("ratelimit-policy"), `${status}`).toContain(`"${name}";q=`);
      expect(headers.get("ratelimit"), `${status}`).toContain(`"${name}";r=`);
    }
  });

  it("counts nothing for somebody who has shown no key", async () => {
    const answer = await send(call, "nonsense");
    expect([answer.status, answer.headers.get("ratelimit")]).toEqual([401, null]);
  });
});
