import fc from "fast-check";
import { Client } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { onRequest } from "./fixtures/behaviours.ts";
import { rawReceiver } from "./fixtures/receivers.ts";
import { newSender, post } from "./fixtures/sending.ts";

/** What became of an answer: its status and body, and whether all of it came; a status of null where there was none. */
interface Outcome {
  status: number | null;
  body: string | null;
  isWhole: boolean;
}

const NONE: Outcome = { status: null, body: null, isWhole: false };

/** A receiver of which the path of a request says what it answers; it closes soon after. */
async function echoingReceiver() {
  return await rawReceiver((socket, received) =>
    onRequest(() => {
      const [, path = ""] = received().split(" ");
      socket.write(Buffer.from(path.slice(1), "hex"));
      setTimeout(() => socket.end(), 20);
    })(socket),
  );
}

function viaUndici(port: number, path: string): Promise<Outcome> {
  const client = new Client(`http://127.0.0.1:${port}`, { maxHeaderSize: 16 * 1024 });
  onTestFinished(() => client.destroy());
  return new Promise((resolve) => {
    const outcome: Outcome = { ...NONE };
    client.dispatch(
      { method: "POST", path, body: "x" },
      {
        onRequestStart() {},
        onResponseStart(_, status) {
          if (status >= 200) Object.assign(outcome, { status, body: "" });
        },
        onResponseData(_, chunk) {
          outcome.body += chunk.toString("latin1");
        },
        // Later: it may still find the answer at fault.
        onResponseEnd: () => setImmediate(resolve, { ...outcome, isWhole: true }),
        onResponseError: () => resolve(outcome),
      },
    );
  });
}

async function bothOf(answers: readonly string[]): Promise<{ ours: Outcome[]; undicis: Outcome[] }> {
  const { port } = await echoingReceiver();
  // A connection for each answer: the receiver closes them all.
  const sender = newSender({ maxConnectionsPerOrigin: answers.length, maxIdleConnections: 0 });
  const paths = answers.map((answer) => `/${Buffer.from(answer, "latin1").toString("hex")}`);
  const undicis = await Promise.all(paths.map((path) => viaUndici(port, path)));
  const sent = await Promise.all(
    paths.map((path) => sender.send(post(port, { url: `http://127.0.0.1:${port}${path}` }))),
  );
  const ours = sent.map(({ status, body, bodyTruncated }) =>
    status === null ? NONE : { status, body: body?.toString("latin1") ?? null, isWhole: !bodyTruncated },
  );
  return { ours, undicis };
}

const status = fc.constantFrom(
  ...[
    "HTTP/1.1 200 OK",
    "HTTP/1.1 200",
    "HTTP/1.0 200 OK",
    "HTTP/1.1 204 X",
    "HTTP/1.1 304 X",
    "HTTP/1.1 500 X",
  ],
  ...[
    "HTTP/2.0 200 OK",
    "HTTP/1.1 999 X",
    "HTTP/1.1 102 X\r\n\r\nHTTP/1.1 200 OK",
    "HTTP/1.1 20 X",
    "HTTP/1.1  200 X",
  ],
);
const line = fc.constantFrom(
  ...[
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length:",
    "Content-Length: 5, 5",
    "content-length:\t2",
  ],
  ...["Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked"],
  ...[
    "Connection: close",
    "Connection: keep-alive",
    "Upgrade: x",
    "X-A: b",
    "X-A:",
    "X-A : b",
    "X A: b",
    " folded",
    "X-A",
  ],
  ...["X-A: a\rb", "X-A: a\nb", "X-A: \x01", "X-A: \xe9", "\xe9: b", "X-A: b\n"],
);
const body = fc.constantFrom(
  ...[
    "",
    "hello",
    "hel",
    "5\r\nhello\r\n0\r\n\r\n",
    "5;a=b\r\nhello\r\n0\r\nX-A: b\r\n\r\n",
    "5\r\nhello\r\n",
    "zz\r\n",
  ],
  ...["2\nok\r\n0\r\n\r\n", "2\r\nokk\r\n0\r\n\r\n", "0x2\r\nok\r\n", "-1\r\n", "0\r\n\r\n"],
);
const answer = fc
  .tuple(status, fc.array(line, { maxLength: 3 }), body)
  .map(([first, lines, after]) => `${[first, ...lines].join("\r\n")}\r\n\r\n${after}`);

describe("the sender beside undici", () => {
  it("makes the same of whatever answers may come", async () => {
    const answers = [...new Set(fc.sample(answer, { numRuns: 400, seed: 4 }))];
    const { ours, undicis } = await bothOf(answers);
    const differing = answers
      .map((text, index) => ({ text, ours: ours[index], undici: undicis[index] }))
      .filter((each) => JSON.stringify(each.ours) !== JSON.stringify(each.undici));
    expect(differing).toEqual([]);
    // Most answers of such parts are at fault; enough must not be.
    expect(ours.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(50);
  });

  it("differs where RFC 9110 §15.2 has interim answers passed over, and where nobody answers like that", async () => {
    const whole = { status: 200, body: "ok", isWhole: true };
    const rest = "Content-Length: 2\r\n\r\nok";
    const { ours, undicis } = await bothOf([
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${rest}`,
      `HTTP/0.9 200 OK\r\n${rest}`,
      `RTSP/1.0 200 OK\r\n${rest}`,
    ]);
    expect([ours, undicis]).toEqual([
      [whole, NONE, NONE],
      [NONE, whole, whole],
    ]);
  });
});
