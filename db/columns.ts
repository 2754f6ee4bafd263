import { arrayParameter, type ElementType } from "./array-parameter.ts";

/** The columns of a batch, which goes as one array each: one list for names, types and values, so that they cannot drift apart. */
export type Columns<T> = readonly (readonly [name: string, type: ElementType, value: (row: T) => unknown])[];

export function namesOf<T>(columns: Columns<T>): string[] {
  return columns.map(([name]) => name);
}

/**
 * A query that makes rows of the parameters again, the first of which has the number `from`. In its list the arrays are
 * walked through side by side; by `FROM unnest(…)` each would be kept as a table of its own and read again, which made an
 * insert a third dearer.
 */
export function rowsOf<T>(columns: Columns<T>, from = 1): string {
  const arrays = columns.map(([name, type], i) => `unnest($${from + i}::${type}[]) as ${name}`);
  return `select ${arrays.join(", ")}`;
}

/** What those parameters stand for. */
export function valuesOf<T>(columns: Columns<T>, rows: readonly T[]): Buffer[] {
  return columns.map(([, type, value]) => arrayParameter(type, rows.map(value)));
}
