import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createReceiver, deliveryIdentity, fileStore } from "#receiver/index.ts";
import { gone, hang, type Misbehaviour, unavailable } from "./misbehaviours.ts";
import type { SecretsByPath } from "./secrets-file.ts";
import { Tally } from "./tally.ts";

export type ConsumerOptions = {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Where the received deliveries are kept. */
  dataDir: string;
  secrets: () => Promise<SecretsByPath>;
  log: (line: string) => void;
};

export type Consumer = {
  port: number;
  /** Lets the requests in progress finish (for 1 s), then closes connections and store. */
  stop(): Promise<void>;
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
type Routes = Readonly<Record<string, { methods: readonly string[]; handle: Handler }>>;

const STOP_GRACE_MS = 1000;

/** Starts the consumer: it receives deliveries at `/webhooks/provider` and misbehaves on purpose at other paths. */
export async function startConsumer(options: ConsumerOptions): Promise<Consumer> {
  const store = await fileStore(join(options.dataDir, "deliveries.jsonl"));
  const tally = new Tally();
  const receiver = createReceiver({
    secrets: async (path) => (await options.secrets()).get(path) ?? {},
    store,
    onError: (error) => options.log(`error: ${error instanceof Error ? error.message : String(error)}`),
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = await receiver.node(request, response);
    tally.add(outcome);
    options.log(
      `${outcome.status} ${outcome.result} ${outcome.eventType ?? "-"} ${outcome.deliveryId ?? "-"}`,
    );
  }
  const misbehave = (label: string, behaviour: Misbehaviour) => ({
    methods: ["POST"],
    handle: (request: IncomingMessage, response: ServerResponse) => {
      const { eventType, deliveryId } = deliveryIdentity(request.headers);
      options.log(`${label} ${eventType ?? "-"} ${deliveryId ?? "-"}`);
      behaviour(request, response);
    },
  });
  const reads = ["GET", "HEAD"];
  const server = createServer(
    router({
      "/": {
        methods: reads,
        handle: (_, response) => sendJson(response, 200, { stored: store.size, ...tally.summary() }),
      },
      "/healthz": { methods: reads, handle: (_, response) => sendJson(response, 200, { status: "ok" }) },
      "/webhooks/provider": { methods: ["POST"], handle: receive },
      "/unavailable": misbehave("503 unavailable", unavailable()),
      "/hang": misbehave("unanswered", hang()),
      "/gone": misbehave("410 gone", gone()),
    }),
  );

  try {
    server.listen(options.port, options.host);
    await once(server, "listening");
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      await closeServer(server);
      await store.close();
    },
  };
}

function router(routes: Routes): Handler {
  return (request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/s, "");
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) return sendJson(response, 404, { error: "not found" });
    if (!route.methods.includes(request.method ?? "")) {
      response.setHeader("Allow", route.methods.join(", "));
      return sendJson(response, 405, { error: "method not allowed" });
    }
    return route.handle(request, response);
  };
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(`${JSON.stringify(value, null, 2)}\n`);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(deadline);
}
