import { describe, expect, it } from "vitest";
import { EMPTY_FORM, formOf, newEndpointOf, patchOf, serverErrors } from "./endpoint-form.ts";
import { makeEndpoint } from "./testing/make.ts";

const filled = { ...EMPTY_FORM, url: " https://example.com/hooks " };

describe("a new endpoint from the form", () => {
  it("has what was typed, and the API's defaults for the rest", () => {
    const read = newEndpointOf({ ...filled, schedule: "5, 300", filter: '{"total":{"$gte":100}}' });

    expect(read).toEqual({
      value: expect.objectContaining({
        url: "https://example.com/hooks",
        event_types: ["*"],
        timeout_ms: 15_000,
        rate_limit: null,
        filter: { total: { $gte: 100 } },
        retry_policy: { max_attempts: null, schedule_seconds: [5, 300] },
      }),
    });
  });

  it.each([
    ["url", { url: "" }],
    ["event_types", { eventTypes: ["no good"] }],
    ["filter", { filter: "{total: 1" }],
    ["rate_limit", { rateLimit: "many" }],
    ["max_in_flight", { maxInFlight: "1000" }],
    ["timeout_ms", { timeoutSeconds: "0.5" }],
    ["retry_policy/schedule_seconds", { schedule: "5, 999999" }],
    ["retry_policy/max_attempts", { maxAttempts: "99" }],
    ["headers", { headers: [{ key: 1, name: "", value: "x", isKept: false }] }],
  ])("names the field that is wrong: %s", (field, bad) => {
    const read = newEndpointOf({ ...filled, ...bad });

    expect("errors" in read && Object.keys(read.errors)).toEqual([field]);
  });
});

describe("the patch from the form", () => {
  const endpoint = makeEndpoint({
    headers: { Authorization: "••••••••", "X-Team": "••••••••" },
    filter: { status: "paid", total: 1 },
    retry_policy: { max_attempts: 5, schedule_seconds: null },
  });
  const form = formOf(endpoint);

  it("is empty when nothing was changed", () => {
    expect(patchOf(form, endpoint)).toEqual({ value: {} });
  });

  it("names only what was changed, so that it undoes nobody else's", () => {
    const read = patchOf(
      { ...form, description: "billing", filter: '{"total":1}', maxAttempts: "" },
      endpoint,
    );

    expect(read).toEqual({ value: { description: "billing", filter: { status: null }, retry_policy: null } });
  });

  it("keeps the headers whose value nobody typed, and takes away those that have gone", () => {
    const [kept] = form.headers;
    const added = { key: 9, name: "X-New", value: "1", isKept: false };

    const read = patchOf({ ...form, headers: kept ? [kept, added] : [] }, endpoint);

    expect(read).toEqual({ value: { headers: { "X-Team": null, "X-New": "1" } } });
  });

  it("refuses a filter that a merge patch cannot say", () => {
    expect(patchOf({ ...form, filter: '{"a":null}' }, endpoint)).toEqual({
      errors: { filter: expect.stringContaining("$in") },
    });
  });
});

it("tells the server's errors by field, with the part that is meant", () => {
  const errors = serverErrors([
    { pointer: "#/url", detail: "leads nowhere" },
    { pointer: "#/headers/X~1Y", detail: "is no token" },
    { pointer: "#/filter/total/$gt", detail: "must be a number" },
  ]);

  expect(errors).toEqual({
    url: "leads nowhere",
    "headers/X/Y": "is no token",
    filter: "total.$gt: must be a number",
  });
});
