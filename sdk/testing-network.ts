import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request on its way: passed on, or lost before or after the server has seen it, or answered. */
export type Fate =
  | "pass"
  | "lose-request"
  | "lose-answer"
  | { status: number; headers?: Record<string, string> };

/** A network that goes wrong as it is told, in front of a server. */
export interface Network {
  origin: string;
  /** What has been sent, in its order. */
  seen: { method: string; path: string; headers: IncomingMessage["headers"] }[];
  /** What becomes of the next requests; those after them pass. */
  fates: Fate[];
  close(): void;
}

export async function openNetwork(target: string): Promise<Network> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const network: Network = {
    origin: "",
    seen: [],
    fates: [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = request;
    network.seen.push({ method, path, headers });
    const fate = network.fates.shift() ?? "pass";
    const body = Buffer.concat(await request.toArray());
    if (fate === "lose-request") return void request.socket.destroy();
    if (typeof fate === "object") return void response.writeHead(fate.status, fate.headers).end();
    const { host: _host, connection: _connection, ...kept } = headers;
    const answer = await fetch(target + path, {
      method,
      headers: kept as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await answer.text();
    if (fate === "lose-answer") return void request.socket.destroy();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  }
  await once(server.listen(0, "127.0.0.1"), "listening");
  network.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return network;
}
