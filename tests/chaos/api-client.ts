import type { Child } from "./child.ts";

const GIVE_UP_MS = 10_000;

/** What came of a call; `undefined` when there was no answer. */
export type Answer = { status: number; text: string } | undefined;

/** Calls the API of whichever web process is up, the next one each time. */
export class ApiClient {
  readonly #webs: readonly Child[];
  #turn = 0;

  constructor(webs: readonly Child[]) {
    this.#webs = webs;
  }

  async call(key: string, method: string, path: string, body?: string): Promise<Answer> {
    const ports = this.#webs.flatMap(({ port }) => (port === undefined ? [] : [port]));
    const port = ports[this.#turn++ % ports.length];
    if (port === undefined) return undefined;
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(GIVE_UP_MS),
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  }
}

/** Whether an answer says that something is away for a while, and no more than that. */
export const isPassing = (answer: Answer): boolean =>
  answer === undefined || answer.status === 503 || answer.status === 504;
