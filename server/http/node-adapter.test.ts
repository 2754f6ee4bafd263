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

it("gives a body that has arrived at once, and one that is still coming in pieces", async () => {
  const { request, send } = await receiveBody("12");
  expect(request.body?.arrived?.()).toBeUndefined();
  send("345");
  const parts: string[] = [];
  for await (const part of request.body ?? []) parts.push(String(part));
  expect(parts.join("")).toBe("12345");

  const whole = await receiveBody("12345");
  await expect.poll(() => whole.request.body?.arrived?.()?.toString()).toBe("12345");
});

/** A request whose body of five bytes has begun. */
async function receiveBody(begin: string) {
  const received = Promise.withResolvers<ApiRequest>();
  const stopping = new AbortController().signal;
  server?.close();
  server = createServer((request, response) => received.resolve(fromNode(request, response, stopping)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n${begin}`);
  return { request: await received.promise, send: (text: string) => socket.write(text) };
}
