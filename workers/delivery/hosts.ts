import type { Lane } from "./lane.ts";
import { Line } from "./turns.ts";

interface Host<T> {
  inFlight: number;
  /** Lanes that wait until a request to it has ended. */
  readonly line: Line<Lane<T>>;
}

/** How many requests are under way to each host, over all lanes that lead there. */
export class Hosts<T> {
  readonly #max: number;
  readonly #hosts = new Map<string, Host<T>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Where a lane has to wait for its host; `undefined`: it need not. */
  lineOf({ host }: Lane<T>): Line<Lane<T>> | undefined {
    const known = this.#hosts.get(host);
    return known && known.inFlight >= this.#max ? known.line : undefined;
  }

  begin(name: string): void {
    const host = this.#hosts.get(name);
    if (host) host.inFlight++;
    else this.#hosts.set(name, { inFlight: 1, line: new Line() });
  }

  /** A request has ended; gives the lane that may go on because of it. */
  end(name: string): Lane<T> | undefined {
    const host = this.#hosts.get(name);
    if (!host) return undefined;
    host.inFlight--;
    return host.line.shift();
  }

  /** Whoever was let on may have had no use for it: gives those that wait although there is room. Forgets idle hosts. */
  tick(): Lane<T>[] {
    const on: Lane<T>[] = [];
    for (const [name, { inFlight, line }] of this.#hosts) {
      for (let room = this.#max - inFlight; room > 0 && line.first; room--) on.push(line.shift() as Lane<T>);
      if (inFlight === 0 && !line.first) this.#hosts.delete(name);
    }
    return on;
  }
}
