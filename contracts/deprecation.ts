import * as z from "zod";
import type { Operation } from "./operation.ts";

/** What is said of a part of the API that is going away. */
export interface Deprecation {
  /** When it is or was deprecated, RFC 3339 date or time: `2026-11-21`. */
  since: string;
  /** When it stops working, not before `since`; absent while that is not decided. */
  sunset?: string;
  /** What to do, in Markdown: "Use `status` instead." */
  instead: string;
  /** The page about it: a URL, or a path below the origin. */
  guide: string;
}

const fields = z.registry<Deprecation>();

/**
 * Marks an operation, or the schema of a query parameter or member, as going away. Answers then carry `Deprecation`
 * (RFC 9745), `Sunset` (RFC 8594) and links to the guide, and the OpenAPI document says so. An operation's mark is on
 * all of its answers, that of a parameter or member of a request on answers to requests that used it, that of a member
 * of an answer on the answers that may have it. Mark the schema last: what wraps it may hide the mark. Throws for a
 * date that is none, and for a sunset before the deprecation.
 */
export function deprecate<T extends Operation | z.ZodType>(part: T, deprecation: Deprecation): T {
  const since = timeOf(deprecation.since);
  if (deprecation.sunset !== undefined && timeOf(deprecation.sunset) < since)
    throw new RangeError(
      `The sunset ${deprecation.sunset} lies before the deprecation ${deprecation.since}.`,
    );
  if (!(part instanceof z.ZodType)) return { ...part, deprecation };
  const { description } = part.meta() ?? {};
  const words = [...(description ? [description] : []), describeDeprecation(deprecation)].join(" ");
  const marked = part.meta({ description: words, deprecated: true });
  fields.add(marked, deprecation);
  return marked as T;
}

/** The mark of a schema itself, if it has one. */
export function fieldDeprecation(schema: z.ZodType): Deprecation | undefined {
  return fields.get(schema);
}

/** `Deprecated since 21 November 2026…`, as the documentation tells it. */
export function describeDeprecation({ since, sunset, instead, guide }: Deprecation): string {
  const end = sunset === undefined ? "" : ` It stops working on ${day(sunset)}.`;
  return `Deprecated since ${day(since)}.${end} ${instead} See [what to do](${guide}).`;
}

/** Milliseconds since the epoch of a date or time; throws when the text is none. */
export function timeOf(text: string): number {
  const time = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(text) || Number.isNaN(time)) throw new RangeError(`${text} is no date.`);
  return time;
}

const day = (text: string) => new Date(timeOf(text)).toISOString().slice(0, 10);
