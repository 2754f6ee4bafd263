import { ApiProblem } from "#sdk/api-problem.ts";
import { EmptyNote } from "./empty-note.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { ProblemAlert } from "./problem-alert.tsx";

interface ThingMissingProps {
  /** Why there is nothing; absent while it is read. */
  error: unknown;
  /** `event`. */
  noun: string;
  /** Where it may have gone. */
  hint: string;
  onRetry: () => void;
}

/** In the place of a thing that is not there: it is being read, does not exist, or cannot be read. */
export function ThingMissing({ error, noun, hint, onRetry }: ThingMissingProps) {
  if (!error) return <PageSkeleton />;
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyNote title={`There is no such ${noun}`} level={1}>
        {hint}
      </EmptyNote>
    );
  return <ProblemAlert error={error} onRetry={onRetry} />;
}
