import { infiniteQueryOptions } from "@tanstack/react-query";
import { createKey, listKeys, type NewKey, revokeKey, rotateKey } from "#contracts/keys.ts";
import { call } from "./api.ts";
import type { KeyScope } from "./scope-words.ts";

const DAY_MS = 86_400_000;

/** The API keys of a tenant, newest first, those that have ended too. */
export const keysQuery = (tenantId: string) =>
  infiniteQueryOptions({
    queryKey: ["api-keys", "list", tenantId],
    queryFn: ({ pageParam, signal }) => call(listKeys, { tenantId, query: { after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
  });

/** A key as the form holds it. */
export interface KeyForm {
  name: string;
  scopes: KeyScope[];
  /** One of `EXPIRIES`. */
  expiry: string;
}

/** When a key ends: what is offered. */
export const EXPIRIES = [
  { value: "90", label: "in 90 days" },
  { value: "365", label: "in a year" },
  { value: "30", label: "in 30 days" },
  { value: "7", label: "in 7 days" },
  { value: "never", label: "never: until it is revoked" },
] as const;

/** What is wrong with which field; `null` when nothing is. */
export function faultsOf({ name, scopes }: KeyForm): { name?: string; scopes?: string } | null {
  const faults = {
    ...(name.trim() === "" ? { name: "Say what it is for." } : {}),
    ...(name.trim().length > 100 ? { name: "This is longer than 100 characters." } : {}),
    ...(scopes.length === 0 ? { scopes: "Choose at least one thing that it may do." } : {}),
  };
  return Object.keys(faults).length > 0 ? faults : null;
}

export function makeKey(tenantId: string, form: KeyForm, { nowMs, key }: { nowMs: number; key: string }) {
  const { name, scopes, expiry } = form;
  const expires = expiry === "never" ? null : new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
  const body = { name: name.trim(), scopes, expires_at: expires } satisfies Omit<NewKey, "expires_at"> & {
    expires_at: string | null;
  };
  return call(createKey, { tenantId, body, idempotencyKey: key });
}

export const replaceKey = (tenantId: string, id: string, overlapSeconds: number, key: string) =>
  call(rotateKey, {
    tenantId,
    params: { id },
    body: { overlap_seconds: overlapSeconds },
    idempotencyKey: key,
  });

export const endKey = (tenantId: string, id: string) => call(revokeKey, { tenantId, params: { id } });
