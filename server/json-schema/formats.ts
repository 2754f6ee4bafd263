import { fastFormats, fullFormats } from "ajv-formats/dist/formats.js";
import { linearRegExp } from "./linear-regexp.ts";

/** The checks of `format`. Those that are not here are annotations, as the standard allows. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  ...taken(fullFormats, ["json-pointer", "relative-json-pointer"]),
  // The full expressions of these take time beyond proportion on long texts.
  ...taken(fastFormats, ["uri", "uri-reference", "email"]),
  ...shorterThan(
    256,
    taken(fullFormats, ["date", "time", "date-time", "duration", "uuid", "hostname", "ipv4", "ipv6"]),
  ),
  regex: (text) => typeof linearRegExp(text) !== "string",
};

type Source = Readonly<Record<string, unknown>>;
type Checks = Record<string, (text: string) => boolean>;

function taken(source: Source, names: readonly string[]): Checks {
  return Object.fromEntries(names.map((name) => [name, checkOf(source[name])]));
}

/** A format of ajv-formats: an expression, a function, or an object around one of these. */
function checkOf(format: unknown): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === "function") return (text) => format(text) === true;
  if (typeof format === "object" && format !== null && "validate" in format) return checkOf(format.validate);
  throw new Error("a format has changed its form");
}

function shorterThan(length: number, checks: Checks): Checks {
  return Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, (text) => text.length < length && check(text)]),
  );
}
