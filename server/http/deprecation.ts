import * as z from "zod";
import { type Deprecation, fieldDeprecation, timeOf } from "#contracts/deprecation.ts";
import type { Operation } from "#contracts/operation.ts";
import type { ApiResponse } from "./message.ts";

/**
 * An answer that tells of marks in `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`. Of several marks the
 * earliest times count.
 */
export function withDeprecation(answer: ApiResponse, marks: readonly Deprecation[]): ApiResponse {
  if (marks.length === 0) return answer;
  const since = Math.min(...marks.map((mark) => timeOf(mark.since)));
  const sunsets = marks.flatMap(({ sunset }) => (sunset === undefined ? [] : [timeOf(sunset)]));
  const { link } = answer.headers;
  const links = marks.flatMap(({ guide, sunset }) => [
    `<${guide}>; rel="deprecation"; type="text/html"`,
    ...(sunset === undefined ? [] : [`<${guide}>; rel="sunset"; type="text/html"`]),
  ]);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      deprecation: `@${Math.floor(since / 1000)}`,
      ...(sunsets.length > 0 ? { sunset: new Date(Math.min(...sunsets)).toUTCString() } : {}),
      link: [...(link === undefined ? [] : [link]), ...new Set(links)].join(", "),
    },
  };
}

/** The marks of the parameters and members that a request used, and of those that its answer may have. */
export function usedFields(operation: Operation, sent: { search: string; body: unknown }): Deprecation[] {
  // Nearly always.
  if (!hasMarkedFields(operation)) return [];
  const { query, body, response } = operation;
  const members = typeof sent.body === "object" && sent.body !== null ? Object.keys(sent.body) : [];
  return [
    ...marksOf(query, [...new URLSearchParams(sent.search).keys()]),
    ...marksOf(body, members),
    ...marksWithin(response),
  ];
}

/** Whether any part of an answer, or of a request, is marked. */
export function hasMarkedFields({ query, body, response }: Operation): boolean {
  return [query, body, response].some((schema) => marksWithin(schema).length > 0);
}

/** The marks of members of an object, of those that are named. */
function marksOf(schema: z.ZodType | undefined, names: readonly string[]): Deprecation[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { shape } = schema;
  return names.flatMap((name) => (Object.hasOwn(shape, name) ? ownMarks(shape[name]) : []));
}

const found = new WeakMap<z.ZodType, Deprecation[]>();

/** All marks within a schema, at any depth. Schemas do not change, so each is looked through once. */
function marksWithin(schema: z.ZodType | undefined): Deprecation[] {
  if (!schema) return [];
  const known = found.get(schema);
  if (known) return known;
  found.set(schema, []);
  const marks = [...ownMarks(schema), ...partsOf(schema).flatMap(marksWithin)];
  found.set(schema, marks);
  return marks;
}

/** The mark of a schema or of what it wraps. */
function ownMarks(schema: z.ZodType): Deprecation[] {
  const mark = fieldDeprecation(schema);
  if (mark) return [mark];
  const inner = innerOf(schema);
  return inner ? ownMarks(inner) : [];
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? (schema.unwrap() as z.ZodType) : undefined;
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  const inner = innerOf(schema);
  if (inner) return partsOf(inner);
  if (schema instanceof z.ZodObject) return Object.values(schema.shape);
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[];
  return [];
}
