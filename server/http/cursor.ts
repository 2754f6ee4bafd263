import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "../crypto/keyring.ts";
import { AppError } from "../errors.ts";

/** What a cursor is good for, and nothing else. */
export interface CursorBinding {
  tenantId: string;
  principalId: string;
  /** Names the list, its sort order and its page-size policy. */
  list: string;
  /** The query but for page size and cursor. */
  filters: unknown;
}

/** Where a page starts. */
export interface Position {
  /** Sort key of the item, as text, so that no digits are lost. */
  at: readonly string[];
  backward: boolean;
}

const PURPOSE = "cursor";

/** The same words for every defect: what is wrong with a forged cursor is nobody's business. */
const invalid = () =>
  new AppError(
    "invalid-cursor",
    "This cursor cannot be used: it is not one of this query, or it has expired.",
  );

/** Signs a position: `<base64url(position)>.<base64url(HMAC-SHA256)>`. `expiresAt` is `null` for a cursor that stays good. */
export function encodeCursor(
  keyring: Keyring,
  binding: CursorBinding,
  position: Position,
  expiresAt: Date | null,
): string {
  const { keyId } = keyring.sign(PURPOSE, "");
  const payload = JSON.stringify([
    keyId,
    position.backward ? "b" : "f",
    expiresAt?.getTime() ?? null,
    ...position.at,
  ]);
  const encoded = Buffer.from(payload).toString("base64url");
  const mac = keyring.mac(PURPOSE, keyId, signedText(binding, encoded));
  return `${encoded}.${mac?.toString("base64url")}`;
}

/** The position in a cursor; 400 for one that was changed, belongs to another query or has expired. */
export function decodeCursor(keyring: Keyring, binding: CursorBinding, cursor: string, now: Date): Position {
  const [encoded = "", mac = "", ...rest] = cursor.split(".");
  const [keyId, direction, expiresAt, ...at] = rest.length === 0 ? payloadOf(encoded) : [];
  const expected = typeof keyId === "string" && keyring.mac(PURPOSE, keyId, signedText(binding, encoded));
  // The texts are compared, not the bytes they decode to: one MAC has several spellings in base64.
  if (!expected || !equalText(expected.toString("base64url"), mac)) throw invalid();
  if (typeof expiresAt === "number" && expiresAt <= now.getTime()) throw invalid();
  return { at: at.map(String), backward: direction === "b" };
}

function payloadOf(encoded: string): unknown[] {
  try {
    const payload: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    return Array.isArray(payload) ? payload : [];
  } catch {
    return [];
  }
}

function signedText(binding: CursorBinding, encoded: string): string {
  const { tenantId, principalId, list, filters } = binding;
  return JSON.stringify(["v1", tenantId, principalId, list, canonicalFilters(filters), encoded]);
}

/** Filters in one order, with the values of a repeated one sorted: they mean the same. */
function canonicalFilters(filters: unknown): unknown {
  return Object.entries(filters ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function equalText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
