import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request as it goes over the wire. Nothing in it is checked, completed but for what HTTP/1.1 needs, or normalized. */
export interface RawRequest {
  method: string;
  /** The request's target, as it stands on the request line. */
  target: string;
  /** In order; a name may come twice. Text is sent as Latin-1, so that any byte can be in it. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** One kept-alive connection that carries one request after another, and is opened anew when the server closes it. */
export class RawClient {
  private readonly port: number;
  private socket: Socket | undefined;

  constructor(port: number) {
    this.port = port;
  }

  async send(request: RawRequest): Promise<RawAnswer> {
    const { method, target, headers = [], body } = request;
    const lines = [
      `${method} ${target} HTTP/1.1`,
      "Host: 127.0.0.1",
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body ? [`Content-Length: ${body.length}`] : []),
    ];
    const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    const socket = this.socket ?? (await this.open());
    socket.write(body ? Buffer.concat([head, body]) : head);
    const { answer, isLast } = await readAnswer(socket, method);
    if (isLast) this.close();
    return answer;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  private async open(): Promise<Socket> {
    const socket = connect(this.port, "127.0.0.1");
    // A server that refuses may close on what it has not read; the answer has arrived by then, or its lack is told.
    socket.on("error", () => {});
    await once(socket, "connect");
    this.socket = socket;
    return socket;
  }
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Reads one answer. Throws when the connection ends before it is whole. */
function readAnswer(socket: Socket, method: string): Promise<{ answer: RawAnswer; isLast: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: RawAnswer; isLast: boolean }>();
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const { status, headers } = parseHead(received.subarray(0, end).toString("latin1"));
    if (status < 200) {
      // An interim answer, such as 100: the final one follows.
      const rest = received.subarray(end + HEAD_END.length);
      received = Buffer.alloc(0);
      onData(rest);
      return;
    }
    const isBodiless = method === "HEAD" || status === 204 || status === 304;
    const length = isBodiless ? 0 : Number(headers.get("content-length") ?? 0);
    const body = received.subarray(end + HEAD_END.length);
    if (body.length < length) return;
    const answer = { status, headers, text: body.subarray(0, length).toString("utf8") };
    resolve({ answer, isLast: headers.get("connection") === "close" || body.length > length });
  };
  const onClose = () =>
    reject(new Error(`the connection ended after ${JSON.stringify(received.toString("latin1"))}`));
  socket.on("data", onData).on("close", onClose);
  return promise.finally(() => socket.off("data", onData).off("close", onClose));
}

function parseHead(text: string): { status: number; headers: Headers } {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no HTTP answer: ${text}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status, headers };
}
