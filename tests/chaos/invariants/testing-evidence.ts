import type { Arrival, DeliveryEnd, Evidence, LoggedTry } from "../evidence.ts";
import { type Invariant, violationsIn } from "./invariants.ts";

export const [TENANT, OTHER, EVENT, DELIVERY, ENDPOINT] = ["t1", "t2", "e1", "d1", "w1"];
export const data = '{"tenant":"anna","number":1}';
export const bodyOf = (sequence: number) => `{"id":"evt","sequence":${sequence},"data":${data}}`;

export const arrival = (over: Partial<Arrival> = {}): Arrival => ({
  ...{ tick: 1, at: 1_000, endpointId: ENDPOINT, deliveryId: DELIVERY, attempt: 1, body: bodyOf(1) },
  ...{ distrust: null, status: 200, answeredTick: 2 },
  ...over,
});
export const delivery = (over: Partial<DeliveryEnd> = {}): DeliveryEnd => ({
  ...{
    tenantId: TENANT,
    id: DELIVERY,
    eventId: EVENT,
    endpointId: ENDPOINT,
    status: "delivered",
    attempts: 1,
  },
  ...{ failureClass: null, failureReason: null, createdAt: 1_000 },
  ...over,
});
export const logged = (over: Partial<LoggedTry> = {}): LoggedTry => ({
  ...{ deliveryId: DELIVERY, number: 1, outcome: "ok", startedAt: 1_000, nextAttemptAt: null },
  ...over,
});

/** A run in which one event went to one endpoint, and all was well. */
export const evidence = (over: Partial<Evidence> = {}): Evidence => ({
  tenants: [
    { id: TENANT, name: "anna" },
    { id: OTHER, name: "bert" },
  ],
  endpoints: [{ id: ENDPOINT, tenantId: TENANT, manner: "steady", eventTypes: ["*"] }],
  faults: [],
  accepted: [{ tenantId: TENANT, id: EVENT, data }],
  refusals: [],
  stored: [{ tenantId: TENANT, id: EVENT, sequence: 1, type: "Chaos.one", body: bodyOf(1) }],
  deliveries: [delivery()],
  tries: [logged()],
  arrivals: [arrival()],
  reopenings: [],
  feeds: [{ tenantId: TENANT, events: [{ id: EVENT, sequence: 1 }] }],
  logs: [{ name: "worker 1", text: '{"msg":"delivering"}' }],
  secrets: { "a secret": "correct-horse-battery-staple" },
  collapses: [],
  leftovers: { claims: 0, jobs: 0 },
  ...over,
});

/** The names of the invariants that do not hold. */
export const violated = (of: Evidence): Invariant[] => violationsIn(of).map(({ invariant }) => invariant);
