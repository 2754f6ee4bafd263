import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { answering, closedPort, OK, rawReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

describe("a connection", () => {
  it("is used again, and its making is timed once", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender();
    const url = `http://receiver.test:${receiver.port}/`;
    const first = await sender.send(post(receiver.port, { url }));
    const second = await sender.send(post(receiver.port, { url }));
    expect(receiver.connections).toBe(1);
    expect(first.timings).toMatchObject({
      dnsMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: null,
    });
    expect(second.timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(second.timings.firstByteMs).toBeGreaterThan(0);
    expect(second.remoteAddress).toBe("127.0.0.1");
  });

  it("carries one request at a time, so parallel requests open several", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender();
    const sent = await Promise.all(Array.from({ length: 8 }, () => sender.send(post(receiver.port))));
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(receiver.connections).toBe(8);
  });

  it("is waited for when an origin has its full number", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender({ maxConnectionsPerOrigin: 2 });
    const sent = await Promise.all(Array.from({ length: 20 }, () => sender.send(post(receiver.port))));
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(receiver.connections).toBe(2);
  });

  it("is not waited for beyond the deadline", async () => {
    const receiver = await rawReceiver(() => {});
    const sender = newSender({ maxConnectionsPerOrigin: 1 });
    const [first, second] = await Promise.all([
      sender.send(post(receiver.port, { timeoutMs: 600 })),
      sender.send(post(receiver.port, { timeoutMs: 200 })),
    ]);
    expect([first.result, second.result]).toEqual(Array(2).fill({ kind: "error", code: "timeout" }));
    expect(second.timings.totalMs).toBeLessThan(500);
    expect(second.remoteAddress).toBeNull();
    expect(receiver.received.join("").match(/POST/g)).toHaveLength(1);
  });

  it("that the receiver closed meanwhile is made anew", async () => {
    const receiver = await rawReceiver((socket, received, connection) => {
      answering(OK)(socket, received, connection);
      socket.on("data", () => socket.end());
    });
    const sender = newSender();
    for (const connection of [1, 2, 3]) {
      expect((await sender.send(post(receiver.port))).status).toBe(200);
      expect(receiver.connections).toBe(connection);
      await eventually(() => expect(receiver.open).toBe(0));
    }
  });

  it("is closed when the receiver says so", async () => {
    const receiver = await rawReceiver(
      answering("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"),
    );
    const sender = newSender();
    await sender.send(post(receiver.port));
    await eventually(() => expect(receiver.open).toBe(0));
    expect((await sender.send(post(receiver.port))).status).toBe(200);
    expect(receiver.connections).toBe(2);
  });

  it("is left before the time at which the receiver says it will close it", async () => {
    const answerFor = (seconds: number) =>
      `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=${seconds}\r\nContent-Length: 2\r\n\r\nok`;
    const hasty = await rawReceiver(answering(answerFor(1)));
    const patient = await rawReceiver(answering(answerFor(2)));
    const sender = newSender();
    for (const { port } of [hasty, hasty, patient, patient]) await sender.send(post(port));
    expect([hasty.connections, patient.connections, patient.open]).toEqual([2, 1, 1]);
    await eventually(() => expect(patient.open).toBe(0));
    await sender.send(post(patient.port));
    expect(patient.connections).toBe(2);
  });

  it("that has been idle for too long leaves its place to one other, and no more", async () => {
    const receiver = await rawReceiver(answering(OK));
    const sender = newSender({ maxConnectionsPerOrigin: 1 });
    await sender.send(post(receiver.port));
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 10_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await Promise.all([1, 2, 3].map(() => sender.send(post(receiver.port))));
    expect(receiver.connections).toBe(2);
  });

  it("that is idle is closed when too many are, the one unused for longest first", async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => rawReceiver(answering(OK))));
    const sender = newSender({ maxIdleConnections: 2 });
    for (const { port } of receivers) await sender.send(post(port));
    await eventually(() => expect(receivers.map(({ open }) => open)).toEqual([0, 1, 1]));
  });

  it("is refused, reset or closed early with its own code", async () => {
    const sender = newSender();
    const reset = await rawReceiver((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const early = await rawReceiver((socket) => socket.once("data", () => socket.destroy()));
    const half = await rawReceiver((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nConte")),
    );
    const port = await closedPort();
    const codes = [];
    for (const target of [port, reset.port, early.port, half.port]) {
      codes.push((await sender.send(post(target))).result);
    }
    expect(codes).toEqual(
      ["connection_refused", "connection_reset", "connection_reset", "connection_reset"].map((code) => ({
        kind: "error",
        code,
      })),
    );
  });
});

describe("close", () => {
  it("waits for what is under way, then closes every connection", async () => {
    let answer = () => {};
    const receiver = await rawReceiver((socket) => {
      answer = () => socket.write(OK);
    });
    const sender = newSender();
    const sending = sender.send(post(receiver.port));
    await eventually(() => expect(receiver.received[0]).toContain("evt_1"));
    let isClosed = false;
    const closing = sender.close().then(() => {
      isClosed = true;
    });
    expect((await sender.send(post(receiver.port))).result).toEqual({ kind: "error", code: "internal" });
    expect(isClosed).toBe(false);
    answer();
    expect((await sending).status).toBe(200);
    await closing;
    await eventually(() => expect(receiver.open).toBe(0));
  });
});
