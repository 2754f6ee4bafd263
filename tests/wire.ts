import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** One answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
}

const PATIENCE_MS = 30_000;

/** Opens a connection, lets `send` write to it, and gives every answer that came until the other end closed it. */
export async function exchange(
  port: number,
  send: (socket: Socket) => unknown,
  { patienceMs = PATIENCE_MS } = {},
): Promise<WireAnswer[]> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  // A reset after the answer is an end as another.
  socket.on("error", () => {});
  await once(socket, "connect");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const sending = Promise.resolve(send(socket)).catch(() => {});
  const inTime = await Promise.race([closed.then(() => true), pause(patienceMs, false, { ref: false })]);
  socket.destroy();
  await sending;
  if (!inTime) throw new Error("The connection stayed open.");
  return answersIn(Buffer.concat(chunks).toString("latin1"));
}

/** Sends bytes as they stand. */
export const bytes =
  (...parts: (string | Uint8Array)[]) =>
  (socket: Socket): void => {
    for (const part of parts) socket.write(part);
  };

/** A request's bytes; the connection ends with its answer unless the headers say otherwise. */
export function requestText(
  requestLine: string,
  headers: Record<string, string | undefined> = {},
  body = "",
): string {
  const all = { Host: "posthorn.example", Connection: "close", ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return `${requestLine} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

function answersIn(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.slice(0, end < 0 ? undefined : end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`This is no answer: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.split(":", 1)[0]?.toLowerCase() ?? "",
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const after = rest.slice(end + 4);
    const { body, length } = bodyOf(after, status, headers);
    answers.push({ status, headers, body });
    rest = after.slice(length);
  }
  return answers;
}

function bodyOf(
  after: string,
  status: number,
  headers: Record<string, string>,
): { body: string; length: number } {
  if (status < 200 || status === 204 || status === 304) return { body: "", length: 0 };
  if (headers["transfer-encoding"] === "chunked") return unchunk(after);
  const length = Number(headers["content-length"] ?? after.length);
  return { body: after.slice(0, length), length };
}

function unchunk(after: string): { body: string; length: number } {
  let body = "";
  for (let at = 0; ; ) {
    const line = after.indexOf("\r\n", at);
    const size = Number.parseInt(after.slice(at, line), 16);
    if (!(size >= 0)) throw new Error("The answer's last chunk is missing.");
    body += after.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return { body, length: at };
  }
}
