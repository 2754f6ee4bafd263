import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import type { TransportErrorCode } from "#contracts/outcomes.ts";
import type { AttemptResult } from "#server/domain/outcome.ts";
import type { Channel } from "./channel.ts";
import { keptHeaders } from "./response-headers.ts";
import { errorCodeOf } from "./send-error.ts";
import type { SendRequest, SendResult } from "./sender.ts";

const KEPT_BODY_BYTES = 4 * 1024;
const READ_BODY_BYTES = 16 * 1024;

/**
 * One request and its answer, as undici's handler. Finishes once, with whatever came: a final status counts from the
 * moment its headers are complete, whatever becomes of the body.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly dispatchOptions: Dispatcher.DispatchOptions;
  /** Null while it waits for a connection. */
  channel: Channel | null = null;
  isFinished = false;

  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #onFinish: (result: SendResult, exchange: Exchange, isClean: boolean) => void;
  #isFresh = true;
  #sentAt: number | null = null;
  #firstByteAt: number | null = null;
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #body: Buffer[] = [];
  #bodyBytes = 0;
}
