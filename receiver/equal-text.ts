import { timingSafeEqual } from "node:crypto";

/** Compares in a time that tells nothing of where the texts differ; unlike `timingSafeEqual` alone, takes any lengths. */
export function equalText(given: string, expected: string): boolean {
  const a = Buffer.from(given, "utf8");
  const b = Buffer.from(expected, "utf8");
  return a.length === b.length && timingSafeEqual(a, b);
}
