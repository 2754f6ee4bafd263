import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPast, MAX_DAYS_AT_ONCE, type PartitionRows, pastTenants, weigh } from "./retention.ts";

const DAY_MS = 86_400_000;
const now = new Date("2026-11-21T13:00:00Z");
const today = Date.parse("2026-11-21T00:00:00Z");
const dayAgo = (days: number) => today - days * DAY_MS;
const policy = (days: number, tenants: Record<string, number> = {}) => ({
  days,
  tenants: new Map(Object.entries(tenants)),
});
const events = (ago: number, ...tenants: string[]): PartitionRows => ({
  table: "events",
  day: dayAgo(ago),
  tenants,
});
const at = (days: number) => new Date(now.getTime() + days * DAY_MS);

describe("the end of what is kept", () => {
  it.each([
    ["events", 32],
    ["deliveries", 33],
    ["attempts", 34],
  ] as const)("keeps %s of 30 days until their day is %i days ago", (table, ago) => {
    expect(isPast(table, dayAgo(ago), 30, now)).toBe(true);
    expect(isPast(table, dayAgo(ago - 1), 30, now)).toBe(false);
  });

  it("never comes before an event has been kept for its days, even if its id is a day older", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * DAY_MS }), fc.integer({ min: 1, max: 35 }), (age, days) => {
        const storedAt = now.getTime() - age;
        const day = Math.floor((storedAt - DAY_MS) / DAY_MS) * DAY_MS;
        if (isPast("events", day, days, now)) expect(age).toBeGreaterThanOrEqual(days * DAY_MS);
      }),
    );
  });

  it("is each tenant's own; a day is whole when it is past for everybody in it", () => {
    const classes = policy(30, { long: 60, short: 7 });
    expect(pastTenants(events(32, "short", "other"), classes, now)).toEqual({
      past: ["short", "other"],
      isWhole: true,
    });
    expect(pastTenants(events(32, "short", "long"), classes, now)).toEqual({
      past: ["short"],
      isWhole: false,
    });
    expect(pastTenants(events(20), classes, now)).toEqual({ past: [], isWhole: false });
    expect(pastTenants(events(32), classes, now)).toEqual({ past: [], isWhole: true });
  });
});

describe("weighing a policy against the last one", () => {
  it("lets the days go by", () => {
    const accepted = { at: at(-MAX_DAYS_AT_ONCE), policy: policy(30) };
    const partitions = [events(34, "a"), events(33, "a"), events(32, "a")];
    expect(weigh(policy(30), accepted, partitions, now)).toEqual({ policy: policy(30), refusals: [] });
  });

  it("refuses everything when the default would take more than three days at once", () => {
    const refused = (days: number, lastRun: Date) =>
      weigh(policy(days), { at: lastRun, policy: policy(30) }, [events(40, "a")], now);
    expect(refused(30, at(-4)).policy).toBeUndefined();
    expect(refused(26, at(0)).policy).toBeUndefined();
    expect(refused(27, at(0)).policy).toEqual(policy(27));
    expect(refused(26, at(0)).refusals[0]).toMatch(/4 days would go at once$/);
  });

  it("has nothing to refuse where nothing is stored", () => {
    const accepted = { at: at(-100), policy: policy(30) };
    expect(weigh(policy(7), accepted, [events(40)], now).refusals).toEqual([]);
    expect(
      weigh(policy(7), undefined, [events(40), events(39), events(38), events(37)], now).refusals,
    ).toEqual([]);
  });

  it("leaves a tenant's own days as they were, and the others' to the policy", () => {
    const accepted = { at: now, policy: policy(30, { a: 90, c: 60 }) };
    const partitions = [events(50, "a", "b", "c")];
    const { policy: carriedOut, refusals } = weigh(policy(30, { a: 10 }), accepted, partitions, now);
    expect(carriedOut).toEqual(policy(30, { a: 90, c: 60 }));
    expect(refusals).toEqual(["tenant a: 10 days in place of 90", "tenant c: 30 days in place of 60"]);
  });
});
