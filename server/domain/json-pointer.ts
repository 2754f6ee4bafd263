/**
 * One token of a JSON Pointer, escaped where a URI fragment cannot hold it (RFC 6901 §6). Half of a surrogate pair has no
 * UTF-8: it becomes U+FFFD.
 */
const token = (part: PropertyKey) =>
  encodeURI(String(part).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("#", "%23");

/** `pointer(["events", 3, "type"])` is `#/events/3/type`. */
export function pointer(path: readonly PropertyKey[]): string {
  return ["#", ...path.map(token)].join("/");
}
