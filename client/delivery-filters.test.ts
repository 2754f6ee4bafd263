import { createLoader, createSerializer } from "nuqs";
import { describe, expect, it } from "vitest";
import { boundsOf, filterParsers, isFiltered, NO_FILTERS, searchFor, toQuery } from "./delivery-filters.ts";
import { testId } from "./testing/make.ts";

const parse = createLoader(filterParsers);
const serialize = createSerializer(filterParsers);

describe("the filters in the address", () => {
  it("come back as they were written", () => {
    const filters = {
      status: ["failed" as const, "pending" as const],
      endpoint: testId("endpoint"),
      event: null,
      type: ["OrderCreated"],
      reason: ["http_422"],
      window: "7d" as const,
      older: "10m" as const,
      q: "cus_42",
    };

    expect(parse(serialize(filters))).toEqual(filters);
  });

  it("leave the address bare when nothing is filtered", () => {
    expect(serialize(NO_FILTERS)).toBe("");
    expect(isFiltered(parse(""))).toBe(false);
  });

  it("forget a status or window that does not exist", () => {
    expect(parse("?status=failed,exploded&window=1000y")).toMatchObject({ status: ["failed"], window: null });
  });
});

describe("toQuery", () => {
  it("names only what is filtered", () => {
    const query = toQuery({ ...NO_FILTERS, status: ["failed"] }, {});

    expect(Object.entries(query).filter(([, value]) => value !== undefined)).toEqual([
      ["status", ["failed"]],
    ]);
  });
});

describe("boundsOf", () => {
  it("is the window before now", () => {
    const nowMs = Date.parse("2026-11-21T10:00:00.000Z");

    expect(boundsOf({ ...NO_FILTERS, window: "24h", older: "10m" }, nowMs)).toEqual({
      from: "2026-11-20T10:00:00.000Z",
      to: "2026-11-21T09:50:00.000Z",
    });
    expect(boundsOf(NO_FILTERS, nowMs)).toEqual({});
  });
});

describe("searchFor", () => {
  it.each([
    [` ${testId("delivery")} `, { open: testId("delivery") }],
    [testId("delivery").toUpperCase(), { open: testId("delivery") }],
    [testId("event"), { filter: { event: testId("event"), q: null } }],
    [testId("endpoint"), { filter: { endpoint: testId("endpoint"), q: null } }],
    ["dlv_123", { filter: { q: "dlv_123" } }],
    ["cus_42", { filter: { q: "cus_42" } }],
    ["   ", { filter: { q: null } }],
  ])("leads %j to %j", (text, search) => {
    expect(searchFor(text)).toEqual(search);
  });
});
