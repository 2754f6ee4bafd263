/** How much there is of each kind: a number, and the bytes of it. */
export class Loads {
  readonly #counts = new Map<string, number>();
  readonly #bytes = new Map<string, number>();

  count(kind: string): number {
    return this.#counts.get(kind) ?? 0;
  }

  bytes(kind: string): number {
    return this.#bytes.get(kind) ?? 0;
  }

  add(kind: string, bytes: number): void {
    this.#counts.set(kind, this.count(kind) + 1);
    this.#bytes.set(kind, this.bytes(kind) + bytes);
  }

  remove(kind: string, bytes: number): void {
    this.#counts.set(kind, this.count(kind) - 1);
    this.#bytes.set(kind, this.bytes(kind) - bytes);
  }
}
