import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Link {
  client: Socket;
  server: Socket;
}

/** A line to the database that can be cut, stopped up and slowed; one for each process. */
export class Line {
  readonly #links = new Set<Link>();
  readonly #target: () => number;
  readonly #listener: Server;
  #isCut = false;
  #delayMs = 0;
  /** Settles when bytes flow again, ends of connections among them; none is under way while they do. */
  #hole: PromiseWithResolvers<void> | undefined;

  private constructor(target: () => number) {
    this.#target = target;
    this.#listener = createServer({ allowHalfOpen: true }, (client) => this.#open(client));
  }

  /** Opens a line to a port of this machine, which is asked for with each connection. */
  static async open(target: () => number): Promise<Line> {
    const line = new Line(target);
    await once(line.#listener.listen(0, "127.0.0.1"), "listening");
    return line;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Ends every connection, or the nth of them, with a reset at either end. */
  drop(nth?: number): void {
    for (const [index, link] of [...this.#links].entries())
      if (nth === undefined || index === nth % this.#links.size) this.#reset(link);
  }

  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    this.drop();
  }

  /** Passes nothing on until `mend`, as if every packet were lost: neither end hears of the other, nor that it has gone. */
  stopUp(): void {
    this.#hole ??= Promise.withResolvers<void>();
  }

  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  mend(): void {
    this.#isCut = false;
    this.#delayMs = 0;
    this.#hole?.resolve();
    this.#hole = undefined;
  }

  close(): void {
    this.mend();
    this.drop();
    this.#listener.close();
  }

  #open(client: Socket): void {
    client.on("error", () => {});
    if (this.#isCut) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: this.#target(), host: "127.0.0.1", allowHalfOpen: true });
    server.on("error", () => {});
    const link = { client, server };
    this.#links.add(link);
    this.#pass(link, client, server);
    this.#pass(link, server, client);
  }

  /** Passes on what one end says, in its order, and that it has gone. */
  #pass(link: Link, from: Socket, to: Socket): void {
    let passed: Promise<void> = Promise.resolve();
    const inTurn = (action: () => void) => {
      passed = passed.then(() => this.#through()).then(action);
    };
    from.on("data", (chunk) => inTurn(() => void (to.destroyed || to.write(chunk))));
    from.on("end", () => inTurn(() => void (to.destroyed || to.end())));
    from.on("close", () => inTurn(() => this.#reset(link)));
  }

  async #through(): Promise<void> {
    while (this.#hole) await this.#hole.promise;
    const delayMs = this.#delayMs;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  }

  #reset(link: Link): void {
    this.#links.delete(link);
    for (const socket of [link.client, link.server]) if (!socket.destroyed) socket.resetAndDestroy();
  }
}
