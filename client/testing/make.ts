import type { Attempt, Delivery } from "#contracts/deliveries.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { type IdKind, toId } from "#contracts/ids.ts";

/** The id of the `n`-th thing of a kind, for tests. */
export const testId = (kind: IdKind, n = 1): string =>
  toId(kind, `01991f6e-4c2a-7cc3-9d0e-${String(n).padStart(12, "0")}`);

const CREATED_AT = "2026-11-21T09:30:00.000Z";

/** A delivery that arrived at the first attempt, but for what `parts` says. */
export const makeDelivery = (parts: Partial<Delivery> = {}): Delivery => ({
  id: testId("delivery"),
  event_id: testId("event"),
  event_type: "OrderCreated",
  endpoint_id: testId("endpoint"),
  status: "delivered",
  attempts: 1,
  next_attempt_at: null,
  failure_class: null,
  failure_reason: null,
  created_at: CREATED_AT,
  delivered_at: "2026-11-21T09:30:00.150Z",
  links: [],
  ...parts,
});

/** An attempt that was answered with 202, but for what `parts` says. */
export const makeAttempt = (parts: Partial<Attempt> = {}): Attempt => ({
  id: testId("attempt", parts.number ?? 1),
  delivery_id: testId("delivery"),
  number: 1,
  trigger: "schedule",
  started_at: "2026-11-21T09:30:00.100Z",
  duration_ms: 50,
  outcome: "ok",
  error_code: null,
  request: {
    method: "POST",
    url: "https://example.com/webhooks",
    headers: { "content-type": "application/json" },
    body: '{"id":"evt_1"}',
  },
  response: { status: 202, headers: {}, body: "", body_truncated: false },
  timings_ms: { dns: 1, connect: 2, tls: 8, first_byte: 30, total: 50 },
  remote_address: "192.0.2.7",
  next_attempt_at: null,
  ...parts,
});

/** An enabled endpoint that takes everything, but for what `parts` says. */
export const makeEndpoint = (parts: Partial<Endpoint> = {}): Endpoint => ({
  id: testId("endpoint"),
  url: "https://example.com/webhooks",
  description: null,
  event_types: ["*"],
  filter: null,
  signature_format: "hex",
  headers: {},
  rate_limit: null,
  ordered: false,
  asymmetric: false,
  public_key: null,
  metadata: {},
  status: "enabled",
  disabled_reason: null,
  timeout_ms: 15_000,
  retry_policy: null,
  max_in_flight: 10,
  version: 1,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  ...parts,
});
