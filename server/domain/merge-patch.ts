type Members = Readonly<Record<string, unknown>>;

/**
 * What a JSON value becomes by a merge patch (RFC 7396 §2): members of the patch replace those of the target, `null`
 * removes one, objects are merged member by member, and all else replaces the target whole. Neither is changed, and no
 * name of a member means anything but itself: `__proto__` is a member like another.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
