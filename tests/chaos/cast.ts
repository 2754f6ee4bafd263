import { chanceOf } from "./dice.ts";

/** How a receiver treats what it gets. */
export type Manner =
  | "steady"
  | "slow"
  | "flaky"
  | "busy"
  | "hanging"
  | "resetting"
  | "refusing"
  | "failing"
  | "gone"
  | "ordered";

export interface Part {
  manner: Manner;
  eventTypes: string[];
  /** Settings of the endpoint besides its URL. */
  settings: object;
}

export interface TenantPart {
  name: string;
  endpoints: Part[];
}

// Seconds, which the runs multiply by a thousandth.
const RETRIES = { schedule_seconds: [300, 600, 1_200, 2_400], max_attempts: 12 };
const part = (manner: Manner, settings: object = {}, eventTypes = ["*"]): Part => ({
  manner,
  eventTypes,
  settings: { timeout_ms: 1_000, retry_policy: RETRIES, ...settings },
});

/** Who takes part: every tenant has one endpoint that always works, a flaky one and an ordered one, and some that do not work. */
export const CAST: readonly TenantPart[] = [
  {
    name: "anna",
    endpoints: [
      part("steady", { signature_format: "timestamped" }, ["*", "posthorn.*"]),
      part("flaky"),
      part("ordered", { ordered: true }),
      part("busy"),
      part("hanging"),
    ],
  },
  {
    name: "bert",
    endpoints: [
      part("steady", { asymmetric: true }),
      part("flaky", { signature_format: "sha256" }),
      part("ordered", { ordered: true }),
      part("resetting"),
      part("failing", { retry_policy: { schedule_seconds: [200], max_attempts: 3 } }),
    ],
  },
  {
    name: "carl",
    endpoints: [
      part("steady", { headers: { "x-team": "carl-s3cr3t-team-token" } }),
      part("slow", { max_in_flight: 20 }),
      part("ordered", { ordered: true }),
      part("refusing"),
      part("gone"),
    ],
  },
];

/** What a receiver does with one request: `status` null breaks the connection off, `afterMs` infinite never answers. */
export interface Reaction {
  status: number | null;
  afterMs: number;
  headers?: Record<string, string>;
}

const GONE_AFTER = 60;

/**
 * What a request gets: always the same for the same try of the same delivery, and nothing that passes fails a third time, so
 * that all but the failing endpoint can be delivered to; that one works once all is `calm`. `nth` counts the requests to the
 * endpoint.
 */
export function reactionOf(
  manner: Manner,
  { deliveryId, attempt, nth, isCalm }: { deliveryId: string; attempt: number; nth: number; isCalm: boolean },
): Reaction {
  const chance = chanceOf(`${deliveryId} ${attempt}`);
  const passes = attempt <= 2 && chance < 0.25;
  const quick = Math.floor(chance * 20);
  const answer = (status: number, afterMs = quick): Reaction => ({ status, afterMs });
  switch (manner) {
    case "steady":
      return answer(200, 5 * quick);
    case "slow":
      return answer(attempt === 1 && chance < 0.1 ? 500 : 202, 200 + chance * 600);
    case "flaky":
      return answer(passes ? 500 : 200);
    case "busy":
      return passes ? { ...answer(429), headers: { "retry-after": "500" } } : answer(200);
    case "hanging":
      return passes ? { status: null, afterMs: Number.POSITIVE_INFINITY } : answer(200);
    case "resetting":
      return passes ? { status: null, afterMs: quick } : answer(200);
    case "refusing":
      return answer(chanceOf(deliveryId) < 0.3 ? 400 : 200);
    case "failing":
      return answer(isCalm ? 200 : 503);
    case "gone":
      return answer(nth > GONE_AFTER ? 410 : 200);
    case "ordered":
      if (chanceOf(deliveryId) < 0.05) return answer(400);
      // Each failure holds back all that is behind it.
      return answer(attempt <= 2 && chance < 0.06 ? 500 : 200);
  }
}
