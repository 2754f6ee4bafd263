import { Text, VisuallyHidden } from "@mantine/core";
import { auditDiff, type DiffLine } from "#client/audit-diff.ts";
import classes from "./audit-diff.module.css";

const WORDS: Record<DiffLine["kind"], string> = {
  added: "is new",
  removed: "is gone",
  changed: "has changed",
  same: "is as before",
};

/** What a change did, member by member: the old value struck through, the new one beside it. All of it is text. */
export function AuditDiff({ before, after }: { before: unknown; after: unknown }) {
  const lines = auditDiff(before, after);
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The action says it all: there is no state before or after.
      </Text>
    );
  return (
    <table className={classes.diff}>
      <VisuallyHidden component="caption">What was before and what is after</VisuallyHidden>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ path, kind, before: old, after: now }) => (
          <tr key={path} data-kind={kind}>
            <th scope="row">
              {path || "value"} <VisuallyHidden>{WORDS[kind]}</VisuallyHidden>
            </th>
            <td className={classes.old}>{old}</td>
            <td className={classes.now}>{now}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
