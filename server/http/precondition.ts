import type { Operation } from "#contracts/operation.ts";
import { preconditionFailed } from "../check-version.ts";
import { AppError } from "../errors.ts";
import type { ApiRequest } from "./message.ts";

const TAG = /(W\/)?"(\d+)"/g;
const TAGS = /^\s*(?:W\/)?"\d+"(?:\s*,\s*(?:W\/)?"\d+")*\s*$/;

/** Whether If-Match guards the call: it changes one resource that has versions. Elsewhere the header is of no account. */
export function takesIfMatch({ method, params, versioned }: Operation): boolean {
  return method !== "GET" && params !== undefined && versioned === true;
}

/**
 * The versions that If-Match expects, as the text of its strong tags; `null` when it expects none in particular.
 * 428 when the call needs them and they are absent, `*`, or no quoted numbers. Where the header is optional `*` only
 * says that the resource must exist (RFC 9110 §13.1.1), which has been seen to already.
 */
export function parseIfMatch(header: string | undefined, isRequired: boolean): string[] | null {
  if (!isRequired && (header === undefined || header.trim() === "*")) return null;
  if (header === undefined || !TAGS.test(header))
    throw new AppError(
      "precondition-required",
      'Send If-Match with the quoted version, such as If-Match: "7"; the ETag of a read is that.',
    );
  // A weak tag never matches: the comparison is strong (RFC 9110 §8.8.3.2).
  const strong = [...header.matchAll(TAG)].filter((match) => match[1] === undefined);
  return strong.map((match) => match[2] ?? "");
}

/** Whether If-None-Match names the tag: weak comparison, so `W/` is of no account (RFC 9110 §13.1.2). */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/** Whether a change is of what is there (If-Match) or of what is not yet (`If-None-Match: *`); `undefined` is of either. */
export function existenceOf(request: Pick<ApiRequest, "header">, operation: Operation): boolean | undefined {
  if (!takesIfMatch(operation)) return undefined;
  if (request.header("if-match") !== undefined) return true;
  return request.header("if-none-match")?.trim() === "*" ? false : undefined;
}

/** 412 for a change that is not to be made of this version, or by `*` of any (RFC 9110 §13.1.2). */
export function checkNoneMatch(header: string | undefined, currentVersion: string): void {
  if (isUnchanged(header, `"${currentVersion}"`))
    throw preconditionFailed("The resource is what If-None-Match rules out.", currentVersion);
}
