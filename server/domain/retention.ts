/** A table that holds a partition for each day. */
type PartitionedTable = "events" | "deliveries" | "attempts";

const DAY_MS = 86_400_000;

/**
 * For how many days beyond its retention a row is kept, counted from the day of its id. An event's id may be a day older
 * than the event, hence two. A delivery stays a day longer than its event, and an attempt than its delivery, so that
 * neither ever goes before what it belongs to: an event without its deliveries would look like one that was missed.
 */
export const LAG_DAYS: Record<PartitionedTable, number> = { events: 2, deliveries: 3, attempts: 4 };

/** More than this many days at once go only when a person says so: a clock or a setting may have jumped. */
export const MAX_DAYS_AT_ONCE = 3;

/** For how many days events are kept: by default, and for tenants of their own class. */
export interface RetentionPolicy {
  days: number;
  tenants: ReadonlyMap<string, number>;
}

/** A policy that was carried out, and when. */
export interface Accepted {
  at: Date;
  policy: RetentionPolicy;
}

/** The beginning of the UTC day of a moment, in milliseconds. */
const startOfDay = (at: Date): number => Math.floor(at.getTime() / DAY_MS) * DAY_MS;

const daysOf = (policy: RetentionPolicy, tenantId: string) => policy.tenants.get(tenantId) ?? policy.days;

/** Whether what a table holds of a day has passed a retention of so many days. `day` is its beginning in milliseconds. */
export function isPast(table: PartitionedTable, day: number, days: number, now: Date): boolean {
  return pastOn(table, day, days).getTime() <= startOfDay(now);
}

/** The beginning of the day from which on that is so. */
export function pastOn(table: PartitionedTable, day: number, days: number): Date {
  return new Date(day + (days + LAG_DAYS[table]) * DAY_MS);
}

/** What a partition holds, as far as retention asks. */
export interface PartitionRows {
  table: PartitionedTable;
  day: number;
  /** The tenants that have rows in it. */
  tenants: readonly string[];
}

/** Those of a partition's tenants whose rows have passed their retention, and whether nothing else is in it. */
export function pastTenants(
  { table, day, tenants }: PartitionRows,
  policy: RetentionPolicy,
  now: Date,
): { past: string[]; isWhole: boolean } {
  const past = tenants.filter((tenantId) => isPast(table, day, daysOf(policy, tenantId), now));
  const isWhole = tenants.length > 0 ? past.length === tenants.length : isPast(table, day, policy.days, now);
  return { past, isWhole };
}

/** What is to be carried out of a policy, and what is refused of it. */
export interface Verdict {
  /** `undefined`: nothing at all. */
  policy: RetentionPolicy | undefined;
  refusals: string[];
}

/**
 * Holds a policy against the one that was carried out last. Time moves on by a day a day; where the end of what is kept
 * would move by more than `MAX_DAYS_AT_ONCE` days over rows that there are, it is refused: for a tenant of its own class
 * the days of before go on to hold, for the default nothing is carried out.
 */
export function weigh(
  policy: RetentionPolicy,
  accepted: Accepted | undefined,
  partitions: readonly PartitionRows[],
  now: Date,
): Verdict {
  const held = partitions.filter(({ tenants }) => tenants.length > 0);
  const goes = (of: RetentionPolicy, isMine: (tenantId: string) => boolean) =>
    held.filter((partition) => pastTenants(partition, of, now).past.some(isMine));
  const byDefault = goes(policy, (tenantId) => !policy.tenants.has(tenantId));
  if (!accepted) {
    const days = new Set(goes(policy, () => true).map(({ day }) => day)).size;
    if (days <= MAX_DAYS_AT_ONCE) return { policy, refusals: [] };
    return { policy: undefined, refusals: [`retention has never run, and ${days} days would go at once`] };
  }
  const moved = (from: number, to: number) =>
    (startOfDay(now) - startOfDay(accepted.at)) / DAY_MS + from - to;
  const movedByDefault = moved(accepted.policy.days, policy.days);
  if (movedByDefault > MAX_DAYS_AT_ONCE && byDefault.length > 0)
    return { policy: undefined, refusals: [explain(movedByDefault, accepted, policy)] };

  const tenants = new Map(policy.tenants);
  const refusals: string[] = [];
  for (const tenantId of new Set([...policy.tenants.keys(), ...accepted.policy.tenants.keys()])) {
    const [before, after] = [daysOf(accepted.policy, tenantId), daysOf(policy, tenantId)];
    if (moved(before, after) <= MAX_DAYS_AT_ONCE || goes(policy, (id) => id === tenantId).length === 0)
      continue;
    tenants.set(tenantId, before);
    refusals.push(`tenant ${tenantId}: ${after} days in place of ${before}`);
  }
  return { policy: { ...policy, tenants }, refusals };
}

function explain(moved: number, { at, policy: before }: Accepted, { days }: RetentionPolicy): string {
  const since = `retention last ran on ${at.toISOString()} with ${before.days} days`;
  return `${since}; with ${days} days now, ${moved} days would go at once`;
}
