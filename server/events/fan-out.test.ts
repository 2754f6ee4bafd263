import { describe, expect, it } from "vitest";
import type { SubscriberRow } from "#db/queries/endpoints.ts";
import { recipients } from "./fan-out.ts";

const endpoint = (id: string, filter: unknown = null, eventTypes = ["*"]): SubscriberRow => ({
  id,
  eventTypes,
  filter: filter === null ? null : JSON.stringify(filter),
  ordered: false,
});
const ids = (subscribers: SubscriberRow[], data: string, type = "OrderCreated") =>
  recipients(subscribers, { type, data }).map(({ id }) => id);

describe("the endpoints that an event goes to", () => {
  it("are those whose event types and filter both cover it", () => {
    const all = [
      endpoint("everything"),
      endpoint("open", {}),
      endpoint("paid", { status: "paid" }),
      endpoint("large", { "total.amount": { $gte: 100 } }),
      endpoint("carts", { status: "paid" }, ["Cart*"]),
    ];
    expect(ids(all, '{"status":"paid","total":{"amount":99.9}}')).toEqual(["everything", "open", "paid"]);
    expect(ids(all, '{"status":"paid","total":{"amount":100}}', "CartCreated")).toEqual([
      "everything",
      "open",
      "paid",
      "large",
      "carts",
    ]);
    expect(ids(all, "{}")).toEqual(["everything", "open"]);
  });

  it("are found without reading the data where no filter asks for it", () => {
    const unreadable = "{";
    expect(ids([endpoint("a"), endpoint("b", { x: 1 }, ["Other"])], unreadable)).toEqual(["a"]);
  });

  it("include one whose filter is not understood: better an event too many than none", () => {
    expect(ids([endpoint("a", { x: { $later: 1 } })], "{}")).toEqual(["a"]);
  });
});
