/** One member that an entry of the log tells of: what it was, what it is. Texts are as JSON has them. */
export interface DiffLine {
  /** Where it is: `limits.requests`; empty for a value that has no members. */
  path: string;
  kind: "added" | "removed" | "changed" | "same";
  before: string | null;
  after: string | null;
}

const MAX_LEVELS = 6;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What differs between two states, member by member, in the order in which the newer one names them. */
export function auditDiff(before: unknown, after: unknown): DiffLine[] {
  if (!isMembers(before) && !isMembers(after))
    return before === null && after === null ? [] : [line("", before, after)];
  return compare(isMembers(before) ? before : {}, isMembers(after) ? after : {}, []);
}

function compare(before: Members, after: Members, path: readonly string[]): DiffLine[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((name) => {
    const [old, now] = [own(before, name), own(after, name)];
    const at = [...path, name];
    if (isMembers(old) && isMembers(now) && at.length < MAX_LEVELS) return compare(old, now, at);
    return [line(at.join("."), old, now)];
  });
}

const own = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

function line(path: string, old: unknown, now: unknown): DiffLine {
  const [before, after] = [old, now].map((value) => (value === undefined ? null : JSON.stringify(value)));
  const kind = before === null ? "added" : after === null ? "removed" : before === after ? "same" : "changed";
  return { path, kind, before: before ?? null, after: after ?? null };
}
