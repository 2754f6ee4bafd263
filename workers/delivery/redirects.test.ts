import { describe, expect, it } from "vitest";
import { answering, OK, rawReceiver, tlsReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

describe("a redirect", () => {
  const LOCATIONS = [
    ...[
      "http://169.254.169.254/latest/meta-data/",
      "http://127.0.0.1:1/",
      "//127.0.0.1/",
      "/hook",
      "file:///etc/passwd",
    ],
    ...["http://[::1]/", "https://example.com/", "gopher://127.0.0.1:6379/_X", ""],
  ];

  it.each([300, 301, 302, 303, 304, 305, 307, 308])("with status %i is followed nowhere", async (status) => {
    for (const location of LOCATIONS) {
      const receiver = await rawReceiver(
        answering(`HTTP/1.1 ${status} X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      );
      const sent = await newSender().send(post(receiver.port));
      expect(sent.result).toEqual({ kind: "response", status });
      expect([receiver.connections, receiver.received.join("").match(/POST/g)?.length]).toEqual([1, 1]);
    }
  });

  it("or an alternative service makes nothing of the next try either", async () => {
    const target = await rawReceiver(answering(OK));
    const receiver = await tlsReceiver(
      "self-signed",
      answering(
        `HTTP/1.1 308 X\r\nAlt-Svc: h2=":${target.port}"\r\nLocation: http://127.0.0.1:${target.port}/\r\n\r\n`,
      ),
    );
    const sender = newSender();
    for (const _ of [1, 2])
      await sender.send(post(receiver.port, { url: `https://127.0.0.1:${receiver.port}/` }));
    expect(target.connections).toBe(0);
  });
});
