/** How often fresh work is looked for that stands behind that of others: as long as some is found, and otherwise. */
const SOON_MS = 100;
const LATEST_MS = 1_000;
/** A look that found nothing is not made again before so many times as long as it took: it reads past all that is queued. */
const REST = 50;
const JOBS_AT_ONCE = 10;

/**
 * Fresh work is taken in the order in which it was published. So that a tenant who has published very much keeps nobody
 * waiting, work of other tenants is looked for behind it, from time to time. Each look reads past what is queued before:
 * it is made only while there is such a tenant, and the more rarely the less comes of it.
 */
export class FairPass {
  readonly #take: (request: { limit: number; ignoreGroups: string[] }) => Promise<{ jobs: number }>;
  readonly #clock: () => number;
  #gapMs = SOON_MS;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `clock` tells milliseconds. */
  constructor(
    take: (request: { limit: number; ignoreGroups: string[] }) => Promise<{ jobs: number }>,
    clock: () => number = () => performance.now(),
  ) {
    this.#take = take;
    this.#clock = clock;
  }

  /** When the next look may be made, on the clock of `performance.now()`. */
  get nextAt(): number {
    return this.#lastAt + this.#gapMs;
  }

  /** Looks past the tenants that have enough in hand, if there are any and it is time. */
  async run(now: number, crowding: readonly string[]): Promise<void> {
    if (crowding.length === 0 || now < this.nextAt) return;
    this.#lastAt = now;
    const beganAt = this.#clock();
    const { jobs } = await this.#take({ limit: JOBS_AT_ONCE, ignoreGroups: [...crowding] });
    const restMs = REST * (this.#clock() - beganAt);
    this.#gapMs = jobs > 0 ? SOON_MS : Math.max(restMs, Math.min(LATEST_MS, 2 * this.#gapMs));
  }
}

/** Deliveries of each tenant that wait in some lane or are being sent. */
export function heldByTenant(
  lanes: Iterable<{ tenant: string; inFlight: number; waiting: readonly unknown[] }>,
): Map<string, number> {
  const held = new Map<string, number>();
  for (const { tenant, inFlight, waiting } of lanes) {
    const count = inFlight + waiting.length;
    if (count > 0) held.set(tenant, (held.get(tenant) ?? 0) + count);
  }
  return held;
}

/**
 * The tenants that have enough in hand: each half of what would be theirs if all that have something shared evenly.
 * `held` is what each has, `max` what all may have.
 */
export function crowdingTenants(held: ReadonlyMap<string, number>, max: number): string[] {
  const enough = max / (2 * Math.max(1, held.size));
  return [...held].filter(([, count]) => count >= enough).map(([tenant]) => tenant);
}
