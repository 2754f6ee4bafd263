import { arrayParameter, type ElementType } from "./array-parameter.ts";

/** The columns of a batch, which goes as one array each: one list for names, types and values, so that they cannot drift apart. */
export type Columns<T> = readonly (readonly [name: string, type: ElementType, value: (row: T) => unknown])[];

export function namesOf<T>(columns: Columns<T>): string[] {
  return columns.map(([name]) => name);
}

/** The parameters of `unnest`, the first of them with the number `from`. */
export function parametersOf<T>(columns: Columns<T>, from = 1): string {
  return columns.map(([, type], i) => `$${from + i}::${type}[]`).join(", ");
}

/** What those parameters stand for. */
export function valuesOf<T>(columns: Columns<T>, rows: readonly T[]): Buffer[] {
  return columns.map(([, type, value]) => arrayParameter(type, rows.map(value)));
}
