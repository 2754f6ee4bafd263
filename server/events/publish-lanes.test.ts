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

const waitFor = ({ transactions }: { transactions: unknown[] }, count: number) =>
  expect.poll(() => transactions.length).toBe(count);

/** Lets two events go into a transaction, and has one more wait behind them. */
async function behindTwo(lanes: PublishLanes, context: ReturnType<typeof heldContext>, type: string) {
  const first = slug(lanes.publish(context.ctx, [event("first"), event("first")]));
  await waitFor(context, 1);
  return { first, second: slug(lanes.publish(context.ctx, [event(type)])) };
}

describe("publishing together", () => {
  it("stores what comes at the same time in one transaction", async () => {
    const lanes = new PublishLanes();
    const one = heldContext("one");
    const outcomes = ["a", "b"].map((type) => slug(lanes.publish(one.ctx, [event(type)])));
    await waitFor(one, 1);
    one.transactions[0]?.reject(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    expect(await Promise.all(outcomes)).toEqual(["gone", "gone"]);
    expect(one.transactions.length).toBe(1);
  });

  it("lets less wait than is under way, and another tenant's run beside it", async () => {
    const lanes = new PublishLanes();
    const [one, other] = [heldContext("one"), heldContext("other")];
    const { first, second } = await behindTwo(lanes, one, "b");
    const beside = slug(lanes.publish(other.ctx, [event("c")]));
    await waitFor(other, 1);
    expect(one.transactions.length).toBe(1);
    one.transactions[0]?.reject(new Error("first failed"));
    expect(await first).toBe("first failed");
    await waitFor(one, 2);
    one.transactions[1]?.reject(new Error("second failed"));
    other.transactions[0]?.reject(new Error("third failed"));
    expect([await second, await beside]).toEqual(["second failed", "third failed"]);
  });

  it.each([1, 30, 1_000])(
    "begins a second transaction when as much waits as is under way, %i events, and no third",
    async (size) => {
      const lanes = new PublishLanes();
      const one = heldContext("one");
      const batch = () => slug(lanes.publish(one.ctx, Array(size).fill(event("batch"))));
      const outcomes = [batch()];
      await waitFor(one, 1);
      outcomes.push(batch());
      await waitFor(one, 2);
      outcomes.push(batch());
      one.transactions[1]?.reject(new Error("second"));
      await waitFor(one, 3);
      for (const at of [0, 2]) one.transactions[at]?.reject(new Error("other"));
      expect(await Promise.all(outcomes)).toEqual(["other", "second", "other"]);
    },
  );

  it("tries one by one what could not be stored together, but not when the database is gone", async () => {
    const lanes = new PublishLanes();
    const one = heldContext("one");
    const { ctx, transactions } = one;
    const outcomes = ["a", "b"].map((type) => slug(lanes.publish(ctx, [event(type)])));
    await waitFor(one, 1);
    transactions[0]?.reject(new Error("together"));
    await waitFor(one, 2);
    transactions[1]?.reject(new Error("a by itself"));
    await waitFor(one, 3);
    const more = ["d", "e"].map((type) => slug(lanes.publish(ctx, [event(type)])));
    transactions[2]?.reject(new Error("b by itself"));
    await waitFor(one, 4);
    transactions[3]?.reject(Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
    expect(await Promise.all(outcomes)).toEqual(["a by itself", "b by itself"]);
    expect(await Promise.all(more)).toEqual(["gone", "gone"]);
  });

  it.each([
    ["thousands of events", Array(5_000).fill(event("b"))],
    ["many megabytes", [{ ...event("b"), data: "x".repeat(16 * 1024 * 1024) }]],
  ])("refuses more of a tenant when %s wait already, and takes another's", async (_name, many) => {
    const lanes = new PublishLanes();
    const [one, other] = [heldContext("one"), heldContext("other")];
    // Two are under way: nothing that comes now can begin.
    const running = [0, 1].map(() => slug(lanes.publish(one.ctx, Array(200).fill(event("a")))));
    await waitFor(one, 2);
    const waiting = slug(lanes.publish(one.ctx, many));
    expect(await slug(lanes.publish(one.ctx, [event("c")]))).toBe("unavailable");
    const beside = slug(lanes.publish(other.ctx, [event("c")]));
    await waitFor(other, 1);
    for (const { transactions } of [one, other])
      for (const each of transactions) each.reject(new Error("over"));
    await waitFor(one, 3);
    one.transactions[2]?.reject(new Error("over"));
    expect(await Promise.all([...running, waiting, beside])).toEqual(Array(4).fill("over"));
    // Room that was taken is free again.
    const later = slug(lanes.publish(one.ctx, [event("d")]));
    await waitFor(one, 4);
    one.transactions[3]?.reject(new Error("over"));
    expect(await later).toBe("over");
  });

  it("refuses more when the requests of all tenants together fill what there is room for", async () => {
    const lanes = new PublishLanes();
    const contexts = ["a", "b", "c", "d", "e"].map(heldContext);
    const large = [{ ...event("large"), data: "x".repeat(15 * 1024 * 1024) }];
    const running = contexts.map(({ ctx }) => slug(lanes.publish(ctx, [event("first"), event("first")])));
    for (const context of contexts) await waitFor(context, 1);
    const outcomes = contexts.map(({ ctx }) => [0, 1].map(() => slug(lanes.publish(ctx, large))));
    expect(await Promise.all(outcomes.map(([, second]) => second))).toEqual(Array(5).fill("unavailable"));
    const gone = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    for (const { transactions } of contexts) transactions[0]?.reject(gone);
    for (const context of contexts) await waitFor(context, 2);
    for (const { transactions } of contexts) transactions[1]?.reject(gone);
    expect(await Promise.all([...running, ...outcomes.map(([first]) => first)])).toEqual(
      Array(10).fill("gone"),
    );
  });
});
