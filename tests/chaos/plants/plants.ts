import { fileURLToPath } from "node:url";
import type { Invariant } from "../invariants/invariants.ts";
import type { Fault } from "../plan.ts";

/** A fault that is planted into a run, and what the run must be found guilty of. */
export interface Plant {
  what: string;
  violates: Invariant[];
  /** What may follow from it; nothing else may be found. */
  mayViolate?: Invariant[];
  sql?: string;
  preload?: { webs?: string; workers?: string };
  /** What is broken besides; default: nothing. */
  plan?: Fault[];
}

const module = (url: URL) => fileURLToPath(url);

/** Worker 1 stands still while others are given its work, and goes on with what it had. */
const FROZEN: Fault[] = [
  { kind: "freeze worker and cut its connections", atMs: 1_500, target: 0, forMs: 4_500 },
];
const KILLED: Fault[] = [{ kind: "kill worker", atMs: 2_000, target: 0, forMs: 100 }];

/** A trigger that drops every fifth row of those that fulfil a condition, or changes it. */
const onInsert = (table: string, when: string, action = "return null") => `
  create sequence planted_rows;
  create function planted() returns trigger language plpgsql as $$ begin
    if nextval('planted_rows') % 5 = 0 then ${action}; end if;
    return new;
  end $$;
  create trigger planted before insert on ${table} for each row when (${when}) execute function planted()`;

export const PLANTS: readonly Plant[] = [
  {
    what: "publications that are acknowledged and rolled back",
    violates: ["what is accepted is stored"],
    preload: { webs: module(new URL("acknowledge-before-commit.mjs", import.meta.url)) },
  },
  {
    what: "deliveries that are never made",
    violates: ["every subscriber has its delivery"],
    sql: onInsert("deliveries", "new.status = 'pending' and new.attempts = 0"),
  },
  {
    what: "retries without a job, while the reconciler has not come by",
    violates: ["every delivery ends"],
    sql: onInsert("pgboss.job", "new.name = 'deliver-retry'"),
  },
  {
    what: "a worker killed that nobody looks for",
    violates: ["every delivery ends", "nothing is left over"],
    preload: { workers: module(new URL("no-sweeper.mjs", import.meta.url)) },
    plan: KILLED,
  },
  {
    what: "deliveries that count as delivered although they were refused",
    violates: ["a delivery ends as its receiver saw it"],
    sql: `
      create function planted() returns trigger language plpgsql as $$ begin
        new.status := 'delivered'; new.failure_class := null; new.failure_reason := null; return new;
      end $$;
      create trigger planted before update on deliveries for each row
        when (new.failure_class = 'permanent') execute function planted()`,
  },
  {
    what: "results that count although the delivery was given to another worker",
    violates: ["an end is final", "the log has every try"],
    // What has ended is pending again: it is sent again, under a number that it had, or waits for a job that nobody makes.
    mayViolate: [
      "every delivery ends",
      "a delivery ends as its receiver saw it",
      "a repeat has its reason",
      "a try is one request",
      "order is kept",
      "nothing is left over",
    ],
    preload: { workers: module(new URL("no-fence.mjs", import.meta.url)) },
    plan: FROZEN,
  },
  {
    what: "late results that change how a delivery ended",
    violates: ["an end is final"],
    preload: { workers: module(new URL("late-result-wins.mjs", import.meta.url)) },
    plan: FROZEN,
  },
  {
    what: "tries that are not logged",
    violates: ["the log has every try"],
    sql: onInsert("attempts", "new.outcome <> 'lost'"),
  },
  {
    what: "deliveries that are sent twice",
    violates: ["a try is one request"],
    preload: { workers: module(new URL("twice.mjs", import.meta.url)) },
  },
  {
    what: "deliveries to another tenant's address",
    violates: ["nothing comes to anybody else"],
    preload: { workers: module(new URL("wrong-address.mjs", import.meta.url)) },
  },
  {
    what: "successors that overtake the head of an ordered queue",
    violates: ["order is kept"],
    preload: { workers: module(new URL("overtaking.mjs", import.meta.url)) },
  },
  {
    what: "a sequence with gaps",
    violates: ["the feed leaves nothing out"],
    sql: `
      create function planted() returns trigger language plpgsql as $$ begin
        if new.last % 7 = 0 then new.last := new.last + 1; end if;
        return new;
      end $$;
      create trigger planted before update on tenant_sequences for each row execute function planted()`,
  },
  {
    what: "a secret in a line of a log",
    violates: ["no secret is logged"],
    preload: { workers: module(new URL("told-secret.mjs", import.meta.url)) },
  },
];
