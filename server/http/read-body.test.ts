import { describe, expect, it } from "vitest";
import type { ApiRequest } from "./message.ts";
import { HttpProblem } from "./problem.ts";
import { readBody } from "./read-body.ts";

function request(chunks: AsyncIterable<Uint8Array> | null, contentLength?: string): ApiRequest {
  return {
    method: "POST",
    target: "/",
    header: (name) => (name === "content-length" ? contentLength : undefined),
    body: chunks,
    signal: new AbortController().signal,
  };
}

async function* chunks(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

const limits = { maxBytes: 10, timeoutMs: 5_000 };
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof HttpProblem ? [error.slug, error.headers] : error),
  );

describe("readBody", () => {
  it("joins chunks, and takes exactly the limit", async () => {
    expect(String(await readBody(request(chunks("12345", "67890")), limits))).toBe("1234567890");
    expect(String(await readBody(request(chunks("one")), limits))).toBe("one");
    expect(String(await readBody(request(null), limits))).toBe("");
  });

  it("takes what has arrived already in one piece, and holds it to the limit too", async () => {
    async function* untouchable(): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error("was waited for"));
    }
    const arrived = (text: string) => Object.assign(untouchable(), { arrived: () => Buffer.from(text) });
    expect(String(await readBody(request(arrived("1234567890")), limits))).toBe("1234567890");
    expect(await refusal(readBody(request(arrived("12345678901")), limits))).toEqual([
      "payload-too-large",
      { connection: "close" },
    ]);
  });

  it("refuses by Content-Length before it reads anything", async () => {
    async function* untouchable(): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error("was read"));
    }
    const refused = await refusal(readBody(request(untouchable(), "11"), limits));
    expect(refused).toEqual(["payload-too-large", { connection: "close" }]);
  });

  it("stops at the chunk that exceeds the limit of an endless body", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield Buffer.from("1234");
      }
    }
    expect(await refusal(readBody(request(endless()), limits))).toEqual([
      "payload-too-large",
      { connection: "close" },
    ]);
    expect(given).toBe(3);
  });

  it("ends the wait for a body that does not come", async () => {
    async function* stuck() {
      yield Buffer.from("1");
      await new Promise(() => {});
    }
    const refused = await refusal(readBody(request(stuck()), { maxBytes: 10, timeoutMs: 20 }));
    expect(refused).toEqual(["timeout", { connection: "close" }]);
  });

  it("tells of a body that was cut off", async () => {
    async function* cut() {
      yield Buffer.from("{");
      throw new Error("aborted");
    }
    expect(await refusal(readBody(request(cut()), limits))).toEqual([
      "malformed-json",
      { connection: "close" },
    ]);
  });
});
