import type { Operation } from "#contracts/operation.ts";
import type { Page } from "#contracts/page.ts";
import { pagesOf } from "#sdk/pages.ts";
import { requestOf } from "#sdk/request-of.ts";
import { callOperation, sendOnce } from "#sdk/transport.ts";
import type { CallInput, CallResult } from "#sdk/types.ts";
import { credentials } from "./credentials.ts";
import { withReauthentication } from "./reauthentication.ts";

const API_PREFIX = "/api/v1";
// Queries and mutations are repeated by those who make them, who also show that they are.
const ONCE = { attempts: 1 };

/**
 * Calls an operation of the public API as who looks at this page; gives its answer. `tenantId` is the tenant that
 * signed-in staff act on. Throws `ApiProblem`; aborting through `signal` rejects as `fetch` does.
 */
export async function call<O extends Operation>(
  op: O,
  { tenantId, ...input }: CallInput<O> & { tenantId?: string },
  origin = "",
): Promise<CallResult<O>> {
  const options = { baseUrl: origin + API_PREFIX, ...credentials(tenantId), retry: ONCE };
  const send = async () => (await callOperation(options, op, input)).data as CallResult<O>;
  return withReauthentication(send);
}

interface TextInput {
  tenantId: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** JSON as a person wrote it. */
  body?: string;
  signal?: AbortSignal;
}

/** Calls an operation as `call` does, with JSON text in and out: no digit is lost on either way. */
export async function callText(
  op: Operation,
  { tenantId, body, signal, ...input }: TextInput,
  origin = "",
): Promise<string> {
  const { headers: own, init } = credentials(tenantId);
  const headers = { ...input.headers, ...own };
  const hollow = requestOf(op, { ...input, headers, body: body && {} }, origin + API_PREFIX);
  return (await sendOnce({ init }, { ...hollow, body }, { signal })).text;
}

interface PlainRequest {
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** A call of this origin beside the API, such as sign-in: JSON in, JSON out, everything else an `ApiProblem`. */
export async function request(url: string, init: PlainRequest): Promise<unknown> {
  const { method = "GET", headers, body, signal } = init;
  const sent = { method, url, headers: new Headers(headers), body };
  return (await sendOnce({ init: credentials(undefined).init }, sent, { signal })).data;
}

/** Every item of a list, page by page, up to `maxPages`. */
export async function readAll<T>(
  readPage: (after: string | undefined) => Promise<Page<T>>,
  maxPages: number,
): Promise<T[]> {
  const items: T[] = [];
  let pages = 0;
  for await (const page of pagesOf(readPage)) {
    items.push(...page.items);
    if (++pages >= maxPages) break;
  }
  return items;
}
