import { describe, expect, it } from "vitest";
import type { AppError } from "../errors.ts";
import type { EventInput, PublishContext } from "./publish-events.ts";
import { PublishLanes } from "./publish-lanes.ts";

const event = (type: string): EventInput => ({ type, data: "{}", path: [] });

/** A context whose transactions wait until they are let go, and then all fail. */
function heldContext(tenantId: string) {
  const transactions: PromiseWithResolvers<never>[] = [];
  const transaction = () => {
    const held = Promise.withResolvers<never>();
    transactions.push(held);
    return held.promise;
  };
  return { transactions, ctx: { tenantId, transaction } as unknown as PublishContext };
}

const slug = (promise: Promise<unknown>) =>
  promise.then(
    () => "published",
    (error: AppError) => error.slug ?? error.message,
  );

describe("publishing together", () => {
  it("lets one transaction of a tenant run at a time, and another tenant's beside it", async () => {
    const lanes = new PublishLanes();
    const [one, other] = [heldContext("one"), heldContext("other")];
    const outcomes = [lanes.publish(one.ctx, [event("a")]), lanes.publish(one.ctx, [event("b")])].map(slug);
    const beside = slug(lanes.publish(other.ctx, [event("c")]));
    await expect.poll(() => [one, other].map(({ transactions }) => transactions.length)).toEqual([1, 1]);
    one.transactions[0]?.reject(new Error("first failed"));
    expect(await outcomes[0]).toBe("first failed");
    await expect.poll(() => one.transactions.length).toBe(2);
    one.transactions[1]?.reject(new Error("second failed"));
    other.transactions[0]?.reject(new Error("third failed"));
    expect([await outcomes[1], await beside]).toEqual(["second failed", "third failed"]);
  });

  it("tries one by one what could not be stored together, but not when the database is gone", async () => {
    const lanes = new PublishLanes();
    const { ctx, transactions } = heldContext("one");
    const waitFor = (count: number) => expect.poll(() => transactions.length).toBe(count);
    const outcomes = ["a", "b", "c"].map((type) => slug(lanes.publish(ctx, [event(type)])));
    await waitFor(1);
    transactions[0]?.reject(new Error("alone"));
    await waitFor(2);
    transactions[1]?.reject(new Error("together"));
    await waitFor(3);
    transactions[2]?.reject(new Error("b by itself"));
    await waitFor(4);
    const more = ["d", "e"].map((type) => slug(lanes.publish(ctx, [event(type)])));
    transactions[3]?.reject(new Error("c by itself"));
    await waitFor(5);
    transactions[4]?.reject(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    expect(await Promise.all(outcomes)).toEqual(["alone", "b by itself", "c by itself"]);
    expect(await Promise.all(more)).toEqual(["gone", "gone"]);
  });

  it("refuses more when thousands wait already", async () => {
    const lanes = new PublishLanes();
    const { ctx, transactions } = heldContext("one");
    const first = slug(lanes.publish(ctx, [event("a")]));
    const waiting = slug(lanes.publish(ctx, Array(5_000).fill(event("b"))));
    expect(await slug(lanes.publish(ctx, [event("c")]))).toBe("unavailable");
    transactions[0]?.reject(new Error("over"));
    await expect.poll(() => transactions.length).toBe(2);
    transactions[1]?.reject(new Error("over"));
    expect([await first, await waiting]).toEqual(["over", "over"]);
  });
});
