import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { floods, MIB, onRequest } from "./fixtures/behaviours.ts";
import { answering, fixture, OK, rawReceiver, tlsReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

const trusted = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...trusted, fixture("ca.pem")]));
afterAll(() => setDefaultCACertificates(trusted));

/** Bytes that the kernel still has for connections to a port of 127.0.0.1; only Linux tells. */
function heldByKernel(port: number): number {
  if (process.platform !== "linux") return 0;
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1);
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const fields = lines.map((line) => line.trim().split(/\s+/)).filter((each) => each[2] === remote);
  return fields.reduce(
    (sum, [, , , , queues = ""]) => sum + Number.parseInt(queues.split(":")[0] ?? "", 16),
    0,
  );
}

const error = (code: string) => ({ kind: "error", code });

/** A receiver in a process of its own, with room for one connection that it has not accepted. */
async function receiverProcess() {
  const program = `
    const server = require("node:http").createServer((request, response) => request.resume().on("end", () => response.end("ok")));
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(server.address().port));
  `;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(child.stdout, "data");
  return { port: Number(port), signal: (name: NodeJS.Signals) => void child.kill(name) };
}

describe("a receiver whose process is frozen", () => {
  it("is given up in time, connected or not, and is reached again when it goes on", async () => {
    const receiver = await receiverProcess();
    const sender = newSender({ connectTimeoutMs: 500 });
    expect((await sender.send(post(receiver.port))).status).toBe(200);
    receiver.signal("SIGSTOP");
    // The connection that stands, those that wait to be accepted, and those that nothing answers any more.
    const given = await Promise.all(
      Array.from({ length: 20 }, () => sender.send(post(receiver.port, { timeoutMs: 1000 }))),
    );
    const codes = given.map(({ result }) => (result.kind === "error" ? result.code : result.status));
    expect(new Set(codes)).toEqual(new Set(["timeout", "connect_timeout"]));
    for (const { timings } of given) expect(timings.totalMs).toBeLessThan(3000);
    receiver.signal("SIGCONT");
    await eventually(async () => expect((await sender.send(post(receiver.port))).status).toBe(200));
  });
});

describe("a receiver that", () => {
  it.each([
    ["http", rawReceiver],
    ["https", (act: (socket: Socket) => void) => tlsReceiver("valid", act)],
  ])(
    "never reads over %s costs no more than its deadline, and nothing stays in the kernel",
    async (protocol, open) => {
      const sockets: Socket[] = [];
      const receiver = await open((socket) => void sockets.push(socket.pause()));
      const url = `${protocol}://127.0.0.1:${receiver.port}/`;
      const request = post(receiver.port, { url, body: Buffer.alloc(32 * MIB), timeoutMs: 1000 });
      const sent = await newSender().send(request);
      expect(sent.result).toEqual(error("timeout"));
      expect(sent.timings.totalMs).toBeLessThan(3000);
      await eventually(() => expect(heldByKernel(receiver.port)).toBe(0));
      expect(sockets).toHaveLength(1);
    },
  );

  it("resets in the middle of its answer has given a status or none, and costs the connection", async () => {
    const receiver = await rawReceiver((socket, received, connection) => {
      if (connection > 1) return answering(OK)(socket, received, connection);
      onRequest(() =>
        socket.write("HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nok", () => socket.resetAndDestroy()),
      )(socket);
    });
    const sender = newSender();
    const { result } = await sender.send(post(receiver.port));
    // A reset may overtake what was sent before it.
    expect([{ kind: "response", status: 500 }, error("connection_reset")]).toContainEqual(result);
    expect((await sender.send(post(receiver.port))).status).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it.each([
    "timeout=3600",
    "timeout=0",
    "timeout=-1",
    "timeout=1e999",
    "max=0",
    "x",
    "timeout=99999999999999999999",
  ])(
    "says Keep-Alive: %s and closes at the next request costs that request and nothing more",
    async (promise) => {
      const answer = `HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: ${promise}\r\nContent-Length: 0\r\n\r\n`;
      const receiver = await rawReceiver((socket) => {
        let isSecond = false;
        socket.on("data", () => {
          if (isSecond) socket.destroy();
          else socket.write(answer);
          isSecond = true;
        });
      });
      const sender = newSender();
      const results = [];
      for (const _ of [1, 2, 3]) results.push((await sender.send(post(receiver.port))).result);
      const [first, second, third] = results;
      expect([first, third]).toEqual(Array(2).fill({ kind: "response", status: 200 }));
      expect([first, error("connection_reset")]).toContainEqual(second);
    },
  );

  it("sends a bomb has its first bytes kept, and nothing of it is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    const receiver = await rawReceiver(
      answering(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb.toString("latin1")}`,
      ),
    );
    const sent = await newSender().send(post(receiver.port));
    expect(sent).toMatchObject({ status: 200, bodyTruncated: true });
    expect(JSON.parse(sent.headers ?? "")).toMatchObject({ "content-encoding": "gzip" });
    expect(sent.body?.equals(bomb.subarray(0, 4096))).toBe(true);
  });
});

describe("a hundred receivers at once", () => {
  const HEADS = [
    "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX-A: ",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf;a=",
  ];

  it.each(HEADS)("that flood, beginning with %j, take little memory and hold up nobody", async (head) => {
    const flooding = await rawReceiver(floods(head, "b"));
    const healthy = await rawReceiver(answering(OK));
    const sender = newSender();
    const before = process.memoryUsage();
    const floodsSent = Array.from({ length: 100 }, () =>
      sender.send(post(flooding.port, { timeoutMs: 10_000 })),
    );
    expect((await sender.send(post(healthy.port))).status).toBe(200);
    const sent = await Promise.all(floodsSent);
    const after = process.memoryUsage();
    for (const { timings, body } of sent) {
      expect(timings.totalMs).toBeLessThan(11_000);
      expect(body?.length ?? 0).toBeLessThanOrEqual(4096);
    }
    const grown = after.heapUsed + after.external - before.heapUsed - before.external;
    expect(grown).toBeLessThan(100 * MIB);
    await eventually(() => expect(flooding.open).toBe(0));
  });
});
