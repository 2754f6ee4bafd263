interface Load {
  count: number;
  bytes: number;
}

/** How much there is of each kind: a number, and the bytes of it. */
export class Loads {
  readonly #loads = new Map<string, Load>();

  count(kind: string): number {
    return this.#loads.get(kind)?.count ?? 0;
  }

  bytes(kind: string): number {
    return this.#loads.get(kind)?.bytes ?? 0;
  }

  add(kind: string, bytes: number): void {
    this.#change(kind, 1, bytes);
  }

  remove(kind: string, bytes: number): void {
    this.#change(kind, -1, -bytes);
  }

  #change(kind: string, count: number, bytes: number): void {
    let load = this.#loads.get(kind);
    if (!load) {
      load = { count: 0, bytes: 0 };
      this.#loads.set(kind, load);
    }
    load.count += count;
    load.bytes += bytes;
  }
}
