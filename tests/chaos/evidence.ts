import type { Manner } from "./cast.ts";
import type { FaultKind } from "./plan.ts";

/** An endpoint as the run has made it. Ids are plain UUIDs here and below. */
export interface KnownEndpoint {
  id: string;
  tenantId: string;
  manner: Manner;
  eventTypes: string[];
}

export interface KnownTenant {
  id: string;
  name: string;
}

/** An event whose publication was answered with 200 or 201. */
export interface AcceptedEvent {
  tenantId: string;
  id: string;
  /** Its `data` as it was published. */
  data: string;
}

/** An event as the database has it at the end. */
export interface StoredEvent {
  tenantId: string;
  id: string;
  sequence: number;
  type: string;
  body: string;
}

/** A request that a receiver got. */
export interface Arrival {
  /** On the one clock of everything that receivers see and do: no two have the same. */
  tick: number;
  /** Milliseconds of the epoch. */
  at: number;
  /** The endpoint that its URL names. */
  endpointId: string;
  deliveryId: string;
  attempt: number;
  body: string;
  /** Why the receiver library does not believe it; null when it does. */
  distrust: string | null;
  /** What it was answered with, once that is so; null: nothing. */
  status: number | null;
  answeredTick: number | null;
}

export interface DeliveryEnd {
  tenantId: string;
  id: string;
  eventId: string;
  endpointId: string;
  status: string;
  attempts: number;
  failureClass: string | null;
  failureReason: string | null;
  /** Milliseconds of the epoch. */
  createdAt: number;
}

export interface LoggedTry {
  deliveryId: string;
  number: number;
  outcome: string;
  /** When it began; of a lost one, when its loss was found. */
  startedAt: number;
  /** Of a try that was given up as lost this stays when its answer turns up. */
  nextAttemptAt: number | null;
}

/** A delivery that was changed although it had ended. */
export interface Reopening {
  deliveryId: string;
  was: string;
  became: string;
}

/** What a reader of a tenant's feed got, page after page. */
export interface FeedReading {
  tenantId: string;
  events: { id: string; sequence: number }[];
}

/** What one process has written to its output. */
export interface ProcessLog {
  name: string;
  text: string;
}

export interface FaultWindow {
  kind: FaultKind;
  /** Milliseconds of the epoch. */
  from: number;
  to: number;
}

/** All that is known of a run when it is over. */
export interface Evidence {
  tenants: readonly KnownTenant[];
  endpoints: readonly KnownEndpoint[];
  faults: readonly FaultWindow[];
  accepted: readonly AcceptedEvent[];
  /** Answers to publishers that they should never get, as text. */
  refusals: readonly string[];
  stored: readonly StoredEvent[];
  deliveries: readonly DeliveryEnd[];
  tries: readonly LoggedTry[];
  arrivals: readonly Arrival[];
  reopenings: readonly Reopening[];
  feeds: readonly FeedReading[];
  logs: readonly ProcessLog[];
  /** By what each is called. */
  secrets: Readonly<Record<string, string | Buffer>>;
  /** Processes that ended though nobody had told them to, as text. */
  collapses: readonly string[];
  /** Rows that are left of work that is done. */
  leftovers: Readonly<Record<string, number>>;
}
