import type { ApiRequest } from "./message.ts";
import { HttpProblem } from "./problem.ts";

// What is left of the body is not read, so the connection cannot carry another request.
const CLOSE = { connection: "close" };

const tooLarge = (maxBytes: number) =>
  new HttpProblem("payload-too-large", `The body is larger than ${maxBytes} bytes.`, CLOSE);

/**
 * The bytes of the body, counted while they stream: 413 as soon as there are more than `maxBytes`, and an end after
 * `timeoutMs` to one that does not come, since Node's own limit covers only the whole request.
 */
export async function readBody(
  request: ApiRequest,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Buffer> {
  if (!request.body) return Buffer.alloc(0);
  if (Number(request.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const arrived = request.body.arrived?.();
  if (arrived) {
    if (arrived.byteLength > maxBytes) throw tooLarge(maxBytes);
    return asBuffer(arrived);
  }
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const timer = setTimeout(
    () => late.reject(new HttpProblem("timeout", "The body did not arrive in time.", CLOSE)),
    timeoutMs,
  );
  try {
    return await collect(request.body[Symbol.asyncIterator](), maxBytes, late.promise);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(chunks: AsyncIterator<Uint8Array>, maxBytes: number, late: Promise<never>) {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await Promise.race([
      chunks.next().catch(() => {
        throw new HttpProblem("malformed-json", "The body ended before it was complete.", CLOSE);
      }),
      late,
    ]);
    if (next.done) return parts.length === 1 ? asBuffer(parts[0]) : Buffer.concat(parts, length);
    length += next.value.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    parts.push(next.value);
  }
}

function asBuffer(part: Uint8Array | undefined): Buffer {
  if (!part) return Buffer.alloc(0);
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
}
