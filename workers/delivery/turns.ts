/** First come, first served. */
export class Line<L> {
  readonly #lanes: L[] = [];

  get first(): L | undefined {
    return this.#lanes[0];
  }

  push(lane: L): void {
    this.#lanes.push(lane);
  }

  delete(lane: L): void {
    const at = this.#lanes.indexOf(lane);
    if (at !== -1) this.#lanes.splice(at, 1);
  }

  shift(): L | undefined {
    return this.#lanes.shift();
  }

  [Symbol.iterator](): Iterator<L> {
    return this.#lanes[Symbol.iterator]();
  }
}

interface Group<L> {
  readonly tenant: string;
  readonly lanes: Line<L>;
}

/** Tenants take turns, and the lanes of each tenant take those of theirs: many lanes make nobody any faster. */
export class Turns<L extends { readonly tenant: string }> {
  readonly #ring: Group<L>[] = [];
  readonly #groups = new Map<string, Group<L>>();

  push(lane: L): void {
    const { tenant } = lane;
    let group = this.#groups.get(tenant);
    if (!group) {
      group = { tenant, lanes: new Line() };
      this.#groups.set(tenant, group);
      this.#ring.push(group);
    }
    group.lanes.push(lane);
  }

  /** The lane whose turn it is. */
  shift(): L | undefined {
    const group = this.#ring.shift();
    const lane = group?.lanes.shift();
    if (!group) return undefined;
    if (group.lanes.first) this.#ring.push(group);
    else this.#groups.delete(group.tenant);
    return lane;
  }

  delete(lane: L): void {
    const group = this.#groups.get(lane.tenant);
    group?.lanes.delete(lane);
    if (!group || group.lanes.first) return;
    this.#groups.delete(lane.tenant);
    this.#ring.splice(this.#ring.indexOf(group), 1);
  }
}
