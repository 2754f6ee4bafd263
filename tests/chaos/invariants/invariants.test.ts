import { expect, it } from "vitest";
import type { Evidence } from "../evidence.ts";
import type { Invariant } from "./invariants.ts";
import {
  arrival,
  bodyOf,
  DELIVERY,
  data,
  delivery,
  ENDPOINT,
  EVENT,
  evidence,
  logged,
  OTHER,
  TENANT,
  violated,
} from "./testing-evidence.ts";

it("finds nothing where all is well", () => {
  expect(violated(evidence())).toEqual([]);
});

const lostAt = (startedAt: number) => ({
  deliveries: [delivery({ attempts: 2 })],
  tries: [logged({ outcome: "lost", startedAt, nextAttemptAt: startedAt }), logged({ number: 2 })],
  arrivals: [arrival(), arrival({ tick: 3, attempt: 2, answeredTick: 4 })],
});
const fault = { kind: "kill worker" as const, from: 500, to: 900 };

it.each<[string, Invariant, Partial<Evidence>]>([
  [
    "an accepted event that is not there",
    "what is accepted is stored",
    { accepted: [{ tenantId: TENANT, id: "e9", data }] },
  ],
  [
    "an accepted event with another tenant",
    "what is accepted is stored",
    { accepted: [{ tenantId: OTHER, id: EVENT, data }] },
  ],
  [
    "an accepted event with other content",
    "what is accepted is stored",
    { accepted: [{ tenantId: TENANT, id: EVENT, data: '{"n":2}' }] },
  ],
  [
    "a subscriber without its delivery",
    "every subscriber has its delivery",
    { deliveries: [], tries: [], arrivals: [] },
  ],
  [
    "two deliveries for one subscriber",
    "every subscriber has its delivery",
    {
      deliveries: [
        delivery(),
        delivery({ id: "d2", attempts: 0, status: "failed", failureReason: "worker_lost" }),
      ],
    },
  ],
  [
    "a delivery that nobody wanted",
    "every subscriber has its delivery",
    { endpoints: [{ id: ENDPOINT, tenantId: TENANT, manner: "steady", eventTypes: ["Order*"] }] },
  ],
  [
    "a delivery of no event",
    "every subscriber has its delivery",
    {
      deliveries: [
        delivery(),
        delivery({ id: "d2", eventId: "e9", attempts: 0, status: "failed", failureReason: "worker_lost" }),
      ],
    },
  ],
  [
    "a delivery that is pending for ever",
    "every delivery ends",
    { deliveries: [delivery({ status: "pending" })] },
  ],
  [
    "a delivery that nobody has accepted",
    "a delivery ends as its receiver saw it",
    { arrivals: [arrival({ status: 500 })] },
  ],
  [
    "a delivery that failed although nobody refused it",
    "a delivery ends as its receiver saw it",
    { deliveries: [delivery({ status: "failed", failureClass: "permanent" })] },
  ],
  [
    "a delivery that was given up at an endpoint that works",
    "a delivery ends as its receiver saw it",
    { deliveries: [delivery({ status: "failed", failureClass: "exhausted", failureReason: "internal" })] },
  ],
  [
    "a delivery that was cancelled for no reason",
    "a delivery ends as its receiver saw it",
    { deliveries: [delivery({ status: "cancelled" })] },
  ],
  [
    "an end that was not the last",
    "an end is final",
    { reopenings: [{ deliveryId: DELIVERY, was: "delivered", became: "pending" }] },
  ],
  [
    "a cancelled delivery that is pending again",
    "an end is final",
    { reopenings: [{ deliveryId: DELIVERY, was: "cancelled", became: "pending" }] },
  ],
  ["a try that the log has not got", "the log has every try", { tries: [] }],
  ["a try that the log has twice", "the log has every try", { tries: [logged(), logged()] }],
  [
    "a request beyond the tries that are counted",
    "the log has every try",
    { arrivals: [arrival(), arrival({ attempt: 2 })] },
  ],
  ["a lost try in quiet times", "a repeat has its reason", lostAt(1_000)],
  [
    "a lost try that was sent long after a fault",
    "a repeat has its reason",
    { ...lostAt(60_000), faults: [fault], arrivals: [arrival({ at: 59_000 })] },
  ],
  [
    "a repeat of what was accepted and never lost",
    "a repeat has its reason",
    { ...lostAt(1_000), faults: [fault], tries: [logged(), logged({ number: 2 })] },
  ],
  ["two requests for one try", "a try is one request", { arrivals: [arrival(), arrival({ tick: 3 })] }],
  [
    "a request at the wrong endpoint",
    "nothing comes to anybody else",
    {
      deliveries: [delivery({ endpointId: "w9" })],
      endpoints: [
        { id: ENDPOINT, tenantId: TENANT, manner: "gone", eventTypes: ["*"] },
        { id: "w9", tenantId: TENANT, manner: "steady", eventTypes: ["*"] },
      ],
    },
  ],
  [
    "another tenant's content",
    "nothing comes to anybody else",
    { arrivals: [arrival({ body: bodyOf(1).replace("anna", "bert") })] },
  ],
  [
    "a request that is not to be believed",
    "nothing comes to anybody else",
    { arrivals: [arrival({ distrust: "wrong_signature" })] },
  ],
  [
    "other bytes than the event's",
    "nothing comes to anybody else",
    { arrivals: [arrival({ body: `${bodyOf(1)} ` })] },
  ],
  [
    "a gap in the feed",
    "the feed leaves nothing out",
    { feeds: [{ tenantId: TENANT, events: [{ id: EVENT, sequence: 2 }] }] },
  ],
  [
    "a repeat in the feed",
    "the feed leaves nothing out",
    { feeds: [{ tenantId: TENANT, events: [1, 1].map((sequence) => ({ id: EVENT, sequence })) }] },
  ],
  ["an event that the feed leaves out", "the feed leaves nothing out", { feeds: [] }],
  [
    "an event that the feed makes up",
    "the feed leaves nothing out",
    {
      feeds: [
        {
          tenantId: TENANT,
          events: [
            { id: EVENT, sequence: 1 },
            { id: "e9", sequence: 2 },
          ],
        },
      ],
    },
  ],
  [
    "an answer that blames the publisher",
    "publishers get honest answers",
    { refusals: ["POST /events was answered 500"] },
  ],
  [
    "a secret in a log",
    "no secret is logged",
    { logs: [{ name: "web 1", text: "key=correct-horse-battery-staple" }] },
  ],
  [
    "a secret in a log in base64",
    "no secret is logged",
    { logs: [{ name: "web 1", text: btoa("key=correct-horse-battery-staple;") }] },
  ],
  ["a process that fell over", "processes stay up", { collapses: ["worker 1 ended with code 1"] }],
  ["a claim of nobody", "nothing is left over", { leftovers: { claims: 1, jobs: 0 } }],
])("finds %s, and calls it by its name", (_what, invariant, over) => {
  expect(violated(evidence(over))).toEqual([invariant]);
});

it("takes a lost try for granted after a fault, and the repeat that follows", () => {
  expect(violated(evidence({ ...lostAt(1_000), faults: [fault] }))).toEqual([]);
  // It was sent during the fault.
  expect(violated(evidence({ ...lostAt(60_000), faults: [fault] }))).toEqual([]);
  const completed = [logged({ nextAttemptAt: 1_000 }), logged({ number: 2 })];
  expect(violated(evidence({ ...lostAt(1_000), faults: [fault], tries: completed }))).toEqual([]);
});

it("lets an answer still settle what was cancelled during the request", () => {
  const reopenings = [{ deliveryId: DELIVERY, was: "cancelled", became: "delivered" }];
  expect(violated(evidence({ reopenings }))).toEqual([]);
});

it("asks for no delivery to an endpoint that is gone", () => {
  const endpoints = [{ id: ENDPOINT, tenantId: TENANT, manner: "gone" as const, eventTypes: ["*"] }];
  expect(violated(evidence({ endpoints, deliveries: [], tries: [], arrivals: [] }))).toEqual([]);
});
