"use client";

import { ApiProblem } from "#sdk/api-problem.ts";
import { EmptyNote } from "../empty-note.tsx";
import { PageSkeleton } from "../page-skeleton.tsx";
import { ProblemAlert } from "../problem-alert.tsx";

/** Stands in for an endpoint while it loads, and when there is none. */
export function MissingEndpoint({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!error) return <PageSkeleton />;
  if (error instanceof ApiProblem && error.status === 404)
    return (
      <EmptyNote title="There is no such endpoint" level={1}>
        It may have been deleted, or belong to another tenant.
      </EmptyNote>
    );
  return <ProblemAlert error={error} onRetry={onRetry} />;
}
