import type { ReturnPreference } from "#contracts/operation.ts";

/** Members of the list, which a comma within quotes does not end. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))+/g;
const RETURN = /^\s*return\s*=\s*(?:"(minimal|representation)"|(minimal|representation))\s*(?:;|$)/i;

/**
 * The `return` preference of a Prefer header (RFC 7240 §4.2). Other preferences and what cannot be understood are passed
 * over; who asks for both gets neither.
 */
export function preferredReturn(header: string | undefined): ReturnPreference | undefined {
  const wanted = new Set(
    (header?.match(MEMBER) ?? []).flatMap((member) => {
      const [, quoted, bare] = RETURN.exec(member) ?? [];
      return (quoted ?? bare)?.toLowerCase() ?? [];
    }),
  );
  if (wanted.size !== 1) return undefined;
  return wanted.has("minimal") ? "minimal" : "representation";
}
