type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSame = (a: unknown, b: unknown): boolean => {
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  return a === b;
};

/** The merge patch (RFC 7396) that makes `to` out of `from`; `{}` when they are the same. */
export function mergePatchOf(from: Json, to: Json): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, name) ? from[name] : undefined;
    if (isSame(old, value)) continue;
    patch[name] = isObject(old) && isObject(value) ? mergePatchOf(old, value) : value;
  }
  return patch;
}

/** Whether a value holds a null as a member: a merge patch cannot say that, since null takes members away. */
export function hasNullMember(value: unknown): boolean {
  return isObject(value) && Object.values(value).some((part) => part === null || hasNullMember(part));
}
