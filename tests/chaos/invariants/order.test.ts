import { expect, it } from "vitest";
import type { Arrival, Evidence } from "../evidence.ts";
import { arrival, bodyOf, delivery, evidence, logged, TENANT, violated } from "./testing-evidence.ts";

const ORDERED = "w2";

/** Two deliveries to an ordered endpoint, with what came of each and when. */
const inOrder = (first: Partial<Arrival>[], second: Partial<Arrival>[], ends: string[] = []): Evidence =>
  evidence({
    endpoints: [{ id: ORDERED, tenantId: TENANT, manner: "ordered", eventTypes: ["*"] }],
    accepted: [],
    stored: [1, 2].map((sequence) => ({
      ...{ tenantId: TENANT, id: `e${sequence}`, sequence, type: "Chaos.one", body: bodyOf(1) },
    })),
    deliveries: [first, second].map((arrivals, at) =>
      delivery({
        ...{ id: `d${at + 1}`, eventId: `e${at + 1}`, endpointId: ORDERED, attempts: arrivals.length },
        ...{ status: ends[at] ?? "delivered", failureReason: "worker_lost" },
      }),
    ),
    tries: [first, second].flatMap((arrivals, at) =>
      arrivals.map((_, index) => logged({ deliveryId: `d${at + 1}`, number: index + 1, outcome: "retry" })),
    ),
    arrivals: [first, second].flatMap((arrivals, at) =>
      arrivals.map((each, index) =>
        arrival({ endpointId: ORDERED, deliveryId: `d${at + 1}`, attempt: index + 1, ...each }),
      ),
    ),
    feeds: [{ tenantId: TENANT, events: [1, 2].map((sequence) => ({ id: `e${sequence}`, sequence })) }],
  });

it("finds what overtakes at an ordered endpoint, and nothing where each waits for the one before", () => {
  const failed = { status: 500, answeredTick: null };
  expect(violated(inOrder([{ tick: 1, answeredTick: 2 }], [{ tick: 3, answeredTick: 4 }]))).toEqual([]);
  expect(
    violated(
      inOrder(
        [
          { tick: 1, ...failed },
          { tick: 2, answeredTick: 3 },
        ],
        [{ tick: 4 }],
      ),
    ),
  ).toEqual([]);
  expect(violated(inOrder([{ tick: 1, answeredTick: 3 }], [{ tick: 2 }]))).toEqual(["order is kept"]);
  expect(
    violated(
      inOrder(
        [
          { tick: 1, ...failed },
          { tick: 4, answeredTick: 5 },
        ],
        [{ tick: 3 }],
      ),
    ),
  ).toEqual(["order is kept"]);
  // What was accepted, and sent again because nobody had written that down, overtakes nobody.
  expect(violated(inOrder([{ tick: 1, answeredTick: 2 }, { tick: 5 }], [{ tick: 3 }]))).toEqual([]);
  // What nobody has accepted is over with its last request.
  const ends = ["failed", "delivered"];
  expect(violated(inOrder([{ tick: 1, ...failed }], [{ tick: 3 }], ends))).toEqual([]);
  expect(
    violated(
      inOrder(
        [
          { tick: 1, ...failed },
          { tick: 4, ...failed },
        ],
        [{ tick: 3 }],
        ends,
      ),
    ),
  ).toEqual(["order is kept"]);
});
