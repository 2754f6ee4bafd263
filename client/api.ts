import type * as z from "zod";
import type { Operation } from "#contracts/operation.ts";
import type { Page } from "#contracts/page.ts";
import { TENANT_HEADER } from "#contracts/tenants.ts";
import { ApiError, errorOf, unreachable } from "./api-error.ts";

const API_PREFIX = "/api/v1";
const TIMEOUT_MS = 30_000;

type Part<Name extends string, S extends z.ZodType> =
  unknown extends z.input<S>
    ? { [_ in Name]?: undefined }
    : Record<string, never> extends z.input<S>
      ? { [_ in Name]?: z.input<S> }
      : { [_ in Name]: z.input<S> };

export type CallInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Part<"params", P> &
  Part<"query", Q> &
  Part<"body", B> & {
    /** The tenant that signed-in staff act on. */
    tenantId?: string;
    idempotencyKey?: string;
    signal?: AbortSignal;
  };

/**
 * Calls an operation of the public API with the session cookie; gives its answer. Throws `ApiError` for a problem, for
 * an answer that is none, and when nothing answers within 30 s. Aborting through `signal` rejects as `fetch` does.
 */
export async function call<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(op: Operation<P, Q, B, R>, input: CallInput<P, Q, B>, origin = ""): Promise<z.output<R>> {
  const headers = new Headers({ accept: "application/json" });
  if (input.tenantId) headers.set(TENANT_HEADER, input.tenantId);
  if (input.idempotencyKey) headers.set("idempotency-key", input.idempotencyKey);
  if (input.body !== undefined) headers.set("content-type", "application/json");
  const url = origin + API_PREFIX + pathOf(op.path, input.params) + queryOf(input.query);
  const body = input.body === undefined ? undefined : JSON.stringify(input.body);
  return (await request(url, { method: op.method, headers, body, signal: input.signal })) as z.output<R>;
}

/** The one place that talks to the network: JSON in, JSON out, everything else an `ApiError`. */
export async function request(url: string, init: RequestInit): Promise<unknown> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    const response = await fetch(url, { ...init, signal, credentials: "same-origin", cache: "no-store" });
    const text = await response.text();
    const json = parsed(text);
    if (!response.ok) throw errorOf(response, json);
    if (text !== "" && json === undefined)
      throw unreachable("The server answered with something unreadable.");
    return json;
  } catch (error) {
    if (error instanceof ApiError || init.signal?.aborted) throw error;
    throw unreachable(deadline.aborted ? "The server did not answer in time." : undefined);
  }
}

/** Every item of a list, page by page, up to `maxPages`. */
export async function readAll<T>(
  readPage: (after: string | undefined) => Promise<Page<T>>,
  maxPages: number,
): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await readPage(after);
    items.push(...page.items);
    if (!page.has_more || page.next_cursor === null) break;
    after = page.next_cursor;
  }
  return items;
}

function pathOf(template: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ""));
}

function queryOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  const text = search.toString();
  return text && `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
