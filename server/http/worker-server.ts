import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "../log/logger.ts";
import { SettingsError } from "../settings/settings.ts";
import { health, workerReadiness } from "./health.ts";
import type { ApiResponse } from "./message.ts";
import { type MetricsPage, metricsPage } from "./metrics.ts";
import { writeNode } from "./node-adapter.ts";

export interface WorkerServerOptions extends MetricsPage {
  host: string;
  /** 0 takes a free one. */
  port: number;
  holdsLease(): boolean;
  log: Logger;
}

export interface WorkerServer {
  port: number;
  close(): Promise<void>;
}

// Who asks is a scraper or a supervisor: one short request at a time.
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 8 * 1024 };
const MAX_CONNECTIONS = 64;
const NOT_FOUND = { status: 404, headers: { "content-type": "text/plain" }, body: "Not found\n" };

/** Serves `/metrics`, `/healthz` and `/readyz` of one worker, and nothing else. Rejects when the port is taken. */
export async function startWorkerServer(options: WorkerServerOptions): Promise<WorkerServer> {
  const server = createServer(LIMITS);
  server.maxConnections = MAX_CONNECTIONS;
  server.on("request", (request, response) => {
    const answered = answerTo(options, request).then((answer) => writeNode(request, response, answer));
    answered.catch((error: unknown) => {
      options.log.error({ err: error }, "a request to the worker failed");
      response.destroy();
    });
  });
  server.listen(options.port, options.host);
  await once(server, "listening").catch((error: Error) => {
    throw new SettingsError(`WORKER_METRICS_PORT=${options.port} cannot be listened on: ${error.message}.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerTo(
  { holdsLease, ...page }: WorkerServerOptions,
  request: { url?: string | undefined; method?: string | undefined; headers: { authorization?: string } },
): Promise<ApiResponse> {
  const [path] = (request.url ?? "").split("?", 1);
  if (path === "/metrics") return metricsPage(page, request);
  if (path === "/healthz") return health();
  if (path === "/readyz") return workerReadiness(holdsLease(), page.metrics.figures);
  return NOT_FOUND;
}
