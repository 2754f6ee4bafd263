import * as z from "zod";

/** Whether PostgreSQL can hold the text as it is: no NUL, no half of a surrogate pair. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

/** Whether every string and member name within a JSON value can be held. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorableJson(part));
}

/** A string of a request that is stored as text. */
export function storableText() {
  return z.string().refine(isStorable, "must not hold NUL or half of a surrogate pair");
}
