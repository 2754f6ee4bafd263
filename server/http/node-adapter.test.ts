import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { ApiRequest } from "./message.ts";
import { fromNode } from "./node-adapter.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers nothing; gives what it makes of the one request, and the client's socket. */
async function receive(stopping: AbortSignal) {
  const received = Promise.withResolvers<ApiRequest>();
  server = createServer((request, response) => received.resolve(fromNode(request, response, stopping)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /path?query HTTP/1.1\r\nHost: x\r\nX-Name: a\r\nX-Name: b\r\n\r\n");
  return { request: await received.promise, socket };
}

it("gives the target, the headers by lower-case name, and no body where there is none", async () => {
  const { request } = await receive(new AbortController().signal);
  expect([
    request.method,
    request.target,
    request.header("x-name"),
    request.header("x-other"),
    request.body,
  ]).toEqual(["GET", "/path?query", "a, b", undefined, null]);
});

it("tells when the client has left", async () => {
  const { request, socket } = await receive(new AbortController().signal);
  const aborted = once(request.signal, "abort");
  expect(request.signal.aborted).toBe(false);
  socket.destroy();
  await aborted;
});

it("tells when the server is about to stop", async () => {
  const stopping = new AbortController();
  const { request } = await receive(stopping.signal);
  expect(request.signal.aborted).toBe(false);
  stopping.abort();
  expect(request.signal.aborted).toBe(true);
});
