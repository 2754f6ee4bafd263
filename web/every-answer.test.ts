import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ID_PREFIXES } from "#contracts/ids.ts";
import { operations } from "#contracts/index.ts";
import type { Answer, TestApi } from "./test-support.ts";
import { calls } from "./testing/api-calls.ts";
import { addListItem } from "./testing/resources.ts";
import { rightRequest, sendRight } from "./testing/right-request.ts";
import { openStaffApi } from "./testing/staff-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openStaffApi();
});
afterAll(() => api.close());

/** Every value within an answer with the name it has; what others have put in (`data`, `body`, examples) is theirs. */
function* valuesIn(value: unknown, name = ""): Generator<[name: string, value: unknown]> {
  if (
    [
      "data",
      "body",
      "example",
      "schema",
      "metadata",
      "headers",
      "shipping_address",
      "before",
      "after",
    ].includes(name)
  )
    return;
  if (Array.isArray(value)) for (const part of value) yield* valuesIn(part, name);
  else if (typeof value === "object" && value !== null)
    for (const [inner, part] of Object.entries(value)) yield* valuesIn(part, inner);
  else yield [name, value];
}

const TIME = /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{3}Z$/;
const ID = new RegExp(
  `^(${Object.values(ID_PREFIXES).join("|")})_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
);

/** What is not as the contract writes times, ids and links. */
function oddities({ json }: Answer): string[] {
  return [...valuesIn(json)].flatMap(([name, value]) => {
    if (typeof value !== "string")
      return name === "version" && !Number.isInteger(value) ? [`${name} ${value}`] : [];
    const isTime = /^\d{4}-\d\d-\d\d/.test(value) || name.endsWith("_at") || name === "timestamp";
    const isId = name === "id" || name.endsWith("_id") || name === "cartId";
    const isGiven = name === "secret_key_id" || name === "request_id";
    if (isTime && !TIME.test(value)) return [`${name} is no time: ${value}`];
    if (isId && !isGiven && !ID.test(value)) return [`${name} is no id: ${value}`];
    if (name === "href" && !leadsSomewhere(value)) return [`${name} leads nowhere: ${value}`];
    return [];
  });
}

function leadsSomewhere(href: string): boolean {
  const path = href.replace(/^\/api\/v1/, "");
  return path !== href && operations.some((operation) => patternOf(operation.path).test(path));
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);

describe.each(calls)("the answer of $name", (call) => {
  it("writes times, ids, versions and links as the contract does, and leads to what it made", async () => {
    const right = await rightRequest(api, call);
    if (call.isList) await addListItem(right.shop, call.operation.path, right.params);
    const answer = await sendRight(right);
    expect(oddities(answer)).toEqual([]);
    if (call.isList) expect(answer.json.items).not.toEqual([]);

    const location = answer.headers.get("location");
    expect(location !== null).toBe(call.status === 201 || call.operation.location === true);
    if (location === null) return;
    const made = await api.call("GET", location.replace(/^\/api\/v1/, ""), {
      key: null,
      headers: right.headers,
    });
    expect([location, made.status]).toEqual([location, 200]);
  });
});
