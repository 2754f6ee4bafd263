import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uuidTimeMs } from "#contracts/ids.ts";
import { deliveryRange, eventRange, replayLinks, typePatterns } from "./replays.ts";
import { subscribes } from "./subscription.ts";

const createdAt = new Date("2026-11-21T12:00:00.000Z");

describe("deliveryRange", () => {
  it("goes from the first moment to the last, for the states and types that were named", () => {
    const range = deliveryRange(
      {
        from: "2026-11-20T00:00:00.000Z",
        to: "2026-11-21T00:00:00.000Z",
        statuses: ["delivered"],
        event_types: ["Order*"],
      },
      createdAt,
    );
    expect([range.afterId, range.beforeId].map(uuidTimeMs)).toEqual([
      Date.parse("2026-11-20T00:00:00Z"),
      Date.parse("2026-11-21T00:00:00Z"),
    ]);
    expect(range).toMatchObject({ statuses: ["delivered"], typePatterns: ["Order%"] });
  });

  it("ends when it was made, however far ahead it was asked for", () => {
    const selection = { from: "2026-11-20T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" };
    expect(uuidTimeMs(deliveryRange(selection, createdAt).beforeId)).toBe(createdAt.getTime());
  });

  it("of a recovery is of what failed or was cancelled, from then on", () => {
    const range = deliveryRange({ since: "2026-11-20T00:00:00.000Z", include_missing: true }, createdAt);
    expect(uuidTimeMs(range.afterId)).toBe(Date.parse("2026-11-20T00:00:00Z"));
    expect(range).toMatchObject({ statuses: ["failed", "cancelled"], typePatterns: null });
  });
});

describe("eventRange", () => {
  it("is there only when missing events are asked for", () => {
    expect(
      eventRange({ since: "2026-11-20T00:00:00.000Z", include_missing: false }, createdAt),
    ).toBeUndefined();
    const range = eventRange({ since: "2026-11-20T00:00:00.000Z", include_missing: true }, createdAt);
    expect(range).toMatchObject({ from: new Date("2026-11-20T00:00:00Z"), to: createdAt });
    expect(uuidTimeMs(range?.afterId ?? "")).toBe(Date.parse("2026-11-19T00:00:00Z"));
  });
});

/** LIKE, as PostgreSQL has it, for the patterns that are made here. */
const like = (text: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("\\_", "_").replace(/%$/, ".*")}$`).test(text);

it("writes subscriptions as patterns that cover the same types", () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.]{0,4}$/);
  const wanted = fc.array(
    fc.oneof(
      name,
      name.map((text) => `${text}*`),
      fc.constant("*"),
    ),
    { minLength: 1 },
  );
  void fc.assert(
    fc.property(wanted, name, (subscriptions, type) => {
      const patterns = typePatterns(subscriptions);
      const covered = patterns === null || patterns.some((pattern) => like(type, pattern));
      expect(covered).toBe(subscribes(subscriptions, type));
    }),
  );
});

it("offers to cancel a replay as long as it has not ended", () => {
  const rels = (["queued", "running", "completed", "cancelled"] as const).map((status) =>
    replayLinks(status, "/x").map(({ rel }) => rel),
  );
  expect(rels).toEqual([["self", "cancel"], ["self", "cancel"], ["self"], ["self"]]);
});
