import { ApiProblem } from "#sdk/api-problem.ts";

/** What the server found wrong with one member of what was sent, for people; `undefined` when nothing. */
export function fieldProblem(error: unknown, member: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.problem?.errors?.find(({ pointer }) => pointer === `#/${member}`);
  if (!found) return undefined;
  const { detail } = found;
  return detail.charAt(0).toUpperCase() + detail.slice(1);
}

/** Whether every defect that the server named belongs to one of these members, so that nothing is left to be told. */
export function isToldByFields(error: unknown, members: readonly string[]): boolean {
  if (!(error instanceof ApiProblem)) return false;
  const defects = error.problem?.errors ?? [];
  return (
    defects.length > 0 && defects.every(({ pointer }) => members.some((name) => pointer === `#/${name}`))
  );
}
