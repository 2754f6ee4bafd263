import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createReceiver, memoryStore, type Outcome, type Receiver } from "./index.ts";
import { SECRET, signedDelivery } from "./testing-delivery.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server on the receiver, and what it answered. */
async function serve(
  handle: (receiver: Receiver) => Parameters<typeof createServer>[1] = ({ node }) => node,
) {
  const outcomes: Outcome[] = [];
  const errors: unknown[] = [];
  const receiver = createReceiver({
    secrets: { v1: SECRET },
    store: memoryStore(),
    maxBodyBytes: 1000,
    onError: (error) => errors.push(error),
  });
  const node: Receiver["node"] = async (request, response) => {
    const outcome = await receiver.node(request, response);
    outcomes.push(outcome);
    return outcome;
  };
  const server = createServer(handle({ ...receiver, node })).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, outcomes, errors };
}

/** Everything a connection receives until the server closes it. */
async function received(socket: ReturnType<typeof connect>): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

/** What a connection receives that writes as much as it can until the server closes it. */
async function answerWithoutEnd(socket: ReturnType<typeof connect>): Promise<string> {
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000000\r\n\r\n");
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  const chunk = Buffer.alloc(1024 * 1024);
  const pump = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on("drain", pump);
  pump();
  await new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
  return answer;
}

describe("a request to receiver.node", () => {
  it("with another method is answered 405 with Allow", async () => {
    const { url } = await serve();
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    expect((await fetch(url, { method: "HEAD" })).status).toBe(405);
  });

  it("may come in pieces of any size, without a length", async () => {
    const { url } = await serve();
    const { headers, body } = signedDelivery();
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of body) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const request = { method: "POST", headers, body: pieces, duplex: "half" } as RequestInit;
    expect((await fetch(url, request)).status).toBe(202);
  });

  it("leaves the connection usable after a body that is somewhat too large", async () => {
    const { port } = await serve();
    const socket = connect(port, "127.0.0.1");
    const head = "POST / HTTP/1.1\r\nHost: x\r\n";
    socket.write(`${head}Content-Length: 100000\r\n\r\n${"x".repeat(100_000)}`);
    socket.end(`${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`);
    const statuses = (await received(socket)).match(/HTTP\/1\.1 \d+/g);
    expect(statuses).toEqual(["HTTP/1.1 413", "HTTP/1.1 401"]);
  });

  it("is cut off when its body has no end", async () => {
    const { port, outcomes } = await serve();
    // Bytes that are still on their way when the server closes reset the connection, which may take the answer with it.
    let answer = "";
    for (let tries = 1; answer === ""; tries++) {
      const socket = connect(port, "127.0.0.1");
      answer = await answerWithoutEnd(socket);
      expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024);
      await vi.waitFor(() => expect(outcomes).toHaveLength(tries), { timeout: 20_000 });
      expect(outcomes.at(-1)).toMatchObject({ status: 413, result: "body_too_large" });
    }
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
  });

  it("that ends before its body does is given up", async () => {
    const { port, outcomes } = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nX-Delivery: dlv_1\r\nContent-Length: 10\r\n\r\n{");
    await once(socket, "connect");
    socket.destroy();
    await vi.waitFor(() => expect(outcomes).toHaveLength(1), { timeout: 20_000 });
    expect(outcomes[0]).toMatchObject({ status: 400, result: "incomplete_body", deliveryId: "dlv_1" });
  });

  it("that ended before it was looked at is given up", async () => {
    const { port, outcomes } = await serve(({ node }) => (request, response) => {
      request.on("error", () => {}).on("close", () => node(request, response));
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");
    await once(socket, "connect");
    socket.destroy();
    await vi.waitFor(() => expect(outcomes).toMatchObject([{ result: "incomplete_body" }]), {
      timeout: 20_000,
    });
  });

  it("whose body something else has read is answered 500 with the reason for onError", async () => {
    const { url, errors } = await serve(({ node }) => (request, response) => {
      request.resume().on("end", () => node(request, response));
    });
    expect((await fetch(url, { method: "POST", ...signedDelivery() } as RequestInit)).status).toBe(500);
    expect(String(errors[0])).toMatch(/before any body parser/);
  });

  it("tells its handler how it was answered", async () => {
    const { url, outcomes } = await serve();
    await fetch(url, { method: "POST", ...signedDelivery() } as RequestInit);
    expect(outcomes).toEqual([
      { status: 202, result: "stored", deliveryId: "dlv_01", eventType: "PaymentCaptured" },
    ]);
  });
});

describe("a request to receiver.fetch", () => {
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    maxBodyBytes: 1000,
    onError: () => {},
  });
  const request = (body: BodyInit | null) =>
    new Request("http://consumer.test/", { method: "POST", body, duplex: "half" } as RequestInit);

  it("with another method is answered 405 with Allow", async () => {
    const response = await receiver.fetch(new Request("http://consumer.test/"));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("has an endless body cancelled at the limit", async () => {
    const cancel = vi.fn();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(400)),
      cancel,
    });
    expect((await receiver.fetch(request(endless))).status).toBe(413);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("whose body breaks off is answered 400", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect((await receiver.fetch(request(broken))).status).toBe(400);
  });

  it("whose body something else has read is answered 500", async () => {
    const used = request("{}");
    await used.text();
    expect((await receiver.fetch(used)).status).toBe(500);
  });

  it("without a body is verified as empty", async () => {
    expect((await receiver.fetch(request(null))).status).toBe(401);
  });
});
