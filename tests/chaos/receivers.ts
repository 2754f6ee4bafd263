import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fromId } from "#contracts/ids.ts";
import { VerificationError, verify } from "#receiver/index.ts";
import { type Manner, reactionOf } from "./cast.ts";
import type { Arrival } from "./evidence.ts";

/** The receiver of one endpoint, on a port of its own. */
interface Listening {
  server: Server;
  manner: Manner;
  /** Known once the endpoint is made. */
  endpointId: string;
  secret: string;
  count: number;
}

/** The receivers of all endpoints: each checks what it gets with the receiver library, notes it, and answers in its manner. */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  readonly #listening: Listening[] = [];
  #tick = 0;
  #isCalm = false;

  /** Opens a receiver; gives its URL, and how to tell it what endpoint it has become. */
  async open(manner: Manner): Promise<{ url: string; become(endpointId: string, secret: string): void }> {
    const listening: Listening = { server: createServer(), manner, endpointId: "", secret: "", count: 0 };
    listening.server.on("request", (request, response) => {
      this.#take(listening, request, response).catch(() => response.destroy());
    });
    await once(listening.server.listen(0, "127.0.0.1"), "listening");
    this.#listening.push(listening);
    const { port } = listening.server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/${manner}`,
      become(endpointId, secret) {
        Object.assign(listening, { endpointId, secret });
      },
    };
  }

  /** Has the endpoint that fails work from now on. */
  calmDown(): void {
    this.#isCalm = true;
  }

  close(): void {
    for (const { server } of this.#listening) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #take(listening: Listening, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { endpointId, manner } = listening;
    const arrival: Arrival = {
      tick: this.#tick++,
      at: Date.now(),
      endpointId,
      deliveryId: fromId("delivery", String(request.headers["x-delivery"])) ?? "",
      attempt: Number(request.headers["x-attempt"]),
      body: body.toString(),
      distrust: distrustOf(listening, request, body),
      status: null,
      answeredTick: null,
    };
    this.arrivals.push(arrival);
    const { status, afterMs, headers } = reactionOf(manner, {
      ...arrival,
      nth: ++listening.count,
      isCalm: this.#isCalm,
    });
    if (afterMs === Number.POSITIVE_INFINITY) return;
    setTimeout(() => {
      // Nobody is there any more who could hear an answer.
      if (response.destroyed) return;
      if (status === null) {
        response.destroy();
        return;
      }
      // Known to the receiver before the sender can know it.
      arrival.status = status;
      arrival.answeredTick = this.#tick++;
      response.writeHead(status, headers).end();
    }, afterMs);
  }
}

function distrustOf({ secret }: Listening, { headers }: IncomingMessage, body: Buffer): string | null {
  try {
    verify({ secrets: secret, headers, body });
    return null;
  } catch (error) {
    if (error instanceof VerificationError) return error.reason;
    throw error;
  }
}
