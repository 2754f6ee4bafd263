import type { Operation } from "#contracts/operation.ts";
import type { Version } from "./types.ts";

/** The parts of a call, of which an operation takes some. */
export interface AnyInput {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  ifMatch?: Version | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that can be sent as often as needed. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
}

/** The request of a call. Every POST gets an Idempotency-Key, so that it can be sent again without harm. */
export function requestOf(
  { method, path, prefer }: Operation,
  { params, query, body, ifMatch, idempotencyKey, headers: further }: AnyInput,
  baseUrl: string,
): SentRequest {
  const headers = new Headers({ accept: "application/json, application/problem+json" });
  if (body !== undefined)
    headers.set("content-type", method === "PATCH" ? "application/merge-patch+json" : "application/json");
  if (ifMatch !== undefined) headers.set("if-match", tagOf(ifMatch));
  if (prefer !== undefined) headers.set("prefer", "return=representation");
  if (method === "POST") headers.set("idempotency-key", idempotencyKey ?? newKey());
  for (const [name, value] of Object.entries(further ?? {})) headers.set(name, value);
  return {
    method,
    url: baseUrl + pathOf(path, params ?? {}) + queryOf(query ?? {}),
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** The entity tag of a version; a tag stays as it is. */
function tagOf(version: Version): string {
  const text = String(version);
  return /^(W\/)?"/.test(text) ? text : `"${text}"`;
}

/** 128 random bits. Not `randomUUID`, which browsers have on secure origins alone. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pathOf(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = textOf(params[name] ?? "");
    // A dot segment would be resolved away, and lead to another resource.
    if (value === "" || value === "." || value === "..")
      throw new TypeError(`The parameter ${name} of ${template} cannot be ${JSON.stringify(value)}.`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, textOf(one));
  const text = search.toString();
  return text && `?${text}`;
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
