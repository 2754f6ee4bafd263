import type { Method } from "#contracts/operation.ts";
import type { ApiRequest } from "./message.ts";
import { HttpProblem } from "./problem.ts";

const JSON_TYPE = "application/json";
/** The patch format (RFC 7396). */
export const MERGE_PATCH = "application/merge-patch+json";

/**
 * 415 unless the body is JSON in UTF-8 without a content coding. A PATCH is a merge patch (RFC 7396), which may also
 * call itself plain JSON; the refusal then names what is accepted (RFC 5789 §3.1).
 */
export function checkMediaType(request: ApiRequest, method: Method): void {
  const headers: Record<string, string> = method === "PATCH" ? { "accept-patch": MERGE_PATCH } : {};
  const coding = request.header("content-encoding");
  if (coding !== undefined && coding.trim().toLowerCase() !== "identity")
    throw new HttpProblem("unsupported-media-type", "The body must not have a content coding.", headers);
  const [type = "", ...parameters] = (request.header("content-type") ?? "").toLowerCase().split(";");
  const known = type.trim() === JSON_TYPE || (method === "PATCH" && type.trim() === MERGE_PATCH);
  const wanted = method === "PATCH" ? `${MERGE_PATCH} or ${JSON_TYPE}` : JSON_TYPE;
  if (!known || !parameters.every(isUtf8Charset))
    throw new HttpProblem("unsupported-media-type", `The body must be ${wanted} in UTF-8.`, headers);
}

/** JSON has no parameter of its own; one that is not a charset changes nothing (RFC 8259 §11). */
function isUtf8Charset(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=");
  return name.trim() !== "charset" || ["utf-8", "utf8", '"utf-8"'].includes(value.trim());
}
