import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { answering, fixture, OK, rawReceiver, tlsReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

const trusted = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...trusted, fixture("ca.pem")]));
afterAll(() => setDefaultCACertificates(trusted));

const secure = (port: number, host = "receiver.test") => post(port, { url: `https://${host}:${port}/hook` });

describe("TLS", () => {
  it("is verified against the host name, timed and used again", async () => {
    const names: unknown[] = [];
    const receiver = await tlsReceiver("valid", answering(OK), {
      SNICallback: (name, callback) => {
        names.push(name);
        callback(null);
      },
    });
    const sender = newSender();
    const first = await sender.send(secure(receiver.port));
    const second = await sender.send(secure(receiver.port));
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.timings).toMatchObject({
      dnsMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: expect.any(Number),
    });
    expect(second.timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(first.remoteAddress).toBe("127.0.0.1");
    expect([receiver.connections, names]).toEqual([1, ["receiver.test"]]);
  });

  it("is verified against an address where the URL has one", async () => {
    const receiver = await tlsReceiver("valid", answering(OK));
    const wrong = await tlsReceiver("wrong-host", answering(OK));
    const sender = newSender();
    expect((await sender.send(secure(receiver.port, "127.0.0.1"))).status).toBe(200);
    expect((await sender.send(secure(wrong.port, "127.0.0.1"))).result).toEqual({
      kind: "error",
      code: "tls_wrong_host",
    });
  });

  it.each([
    ["expired", "tls_expired"],
    ["not-yet-valid", "tls_not_yet_valid"],
    ["self-signed", "tls_self_signed"],
    ["wrong-host", "tls_wrong_host"],
  ])("fails with a certificate that is %s, and sends nothing", async (certificate, code) => {
    const receiver = await tlsReceiver(certificate, answering(OK));
    const sent = await newSender().send(secure(receiver.port));
    expect(sent).toMatchObject({ result: { kind: "error", code }, status: null, remoteAddress: "127.0.0.1" });
    expect(receiver.received.join("")).toBe("");
  });

  it("fails with a certificate of an unknown authority", async () => {
    setDefaultCACertificates(trusted);
    onTestFinished(() => setDefaultCACertificates([...trusted, fixture("ca.pem")]));
    const receiver = await tlsReceiver("valid", answering(OK));
    const sent = await newSender().send(secure(receiver.port));
    expect(sent.result).toEqual({ kind: "error", code: "tls_untrusted" });
  });

  it("is verified whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const receiver = await tlsReceiver("self-signed", answering(OK));
    const sent = await newSender().send(secure(receiver.port));
    expect(sent.result).toEqual({ kind: "error", code: "tls_self_signed" });
  });

  it("stays verified when a session of a refused connection could be resumed", async () => {
    const receiver = await tlsReceiver("wrong-host", answering(OK), { maxVersion: "TLSv1.2" });
    const sender = newSender();
    for (const _ of [1, 2, 3]) {
      expect((await sender.send(secure(receiver.port))).result).toEqual({
        kind: "error",
        code: "tls_wrong_host",
      });
    }
  });

  it("fails where the receiver speaks HTTP, something else, or an old version", async () => {
    const http = await rawReceiver((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n")),
    );
    const ssh = await rawReceiver((socket) => socket.write("SSH-2.0-OpenSSH_9.7\r\n"));
    const old = await tlsReceiver("valid", answering(OK), {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const sender = newSender();
    for (const { port } of [http, ssh, old]) {
      expect((await sender.send(secure(port))).result).toEqual({ kind: "error", code: "tls_handshake" });
    }
  });

  it("fails where a client certificate is wanted", async () => {
    const receiver = await tlsReceiver("valid", answering(OK), {
      requestCert: true,
      rejectUnauthorized: true,
      ca: fixture("ca.pem"),
    });
    const sent = await newSender().send(secure(receiver.port));
    expect(sent.result).toEqual({
      kind: "error",
      code: "tls_handshake",
    });
  });

  it("that is never spoken is a connect timeout", async () => {
    const receiver = await rawReceiver(() => {});
    const byConnectTimeout = await newSender({ connectTimeoutMs: 150 }).send(secure(receiver.port));
    const byDeadline = await newSender().send({ ...secure(receiver.port), timeoutMs: 150 });
    for (const { result, timings } of [byConnectTimeout, byDeadline]) {
      expect(result).toEqual({ kind: "error", code: "connect_timeout" });
      expect(timings).toMatchObject({ connectMs: expect.any(Number), tlsMs: null, firstByteMs: null });
      expect(timings.totalMs).toBeLessThan(1000);
    }
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it("that breaks off in the handshake is a closed connection", async () => {
    const receiver = await rawReceiver((socket) => socket.once("data", () => socket.destroy()));
    const sent = await newSender().send(secure(receiver.port));
    expect(sent.result).toEqual({ kind: "error", code: "connection_reset" });
  });

  it("with noise right after the handshake is a bad response, and not tried again", async () => {
    const receiver = await tlsReceiver("valid", (socket) => {
      socket.write("noise");
      socket.end();
    });
    const sent = await newSender().send(secure(receiver.port));
    expect(sent.result).toEqual({ kind: "error", code: "bad_response" });
    expect(receiver.connections).toBe(1);
  });
});
