import * as z from "zod";

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;
export const MAX_FEED_LIMIT = 1000;

const Limit = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be an integer of at least 1")
    .transform((text) => Math.min(Number(text), max))
    .optional()
    .meta({
      type: "integer",
      minimum: 1,
      default: DEFAULT_LIMIT,
      description: `Page size; more than ${max} is taken as ${max}.`,
    });

const CURSOR = "WyJrMSIsImYiXQ.l4Tt1mYp9m8dKQ0Jx5c7bq6eGzq3v2hXb0nR4sUuWfE";
const After = z.string().min(1).max(2048).optional().meta({
  description: "An opaque cursor from `next_cursor` or `prev_cursor`.",
  example: CURSOR,
});

/** The query parameters that every list takes. */
export const pageQuery = { limit: Limit(MAX_LIMIT), after: After };
export const feedQuery = { limit: Limit(MAX_FEED_LIMIT), after: After };

/** The envelope of every list. */
export function pageOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      items: z.array(item),
      next_cursor: z.string().nullable().meta({ example: CURSOR }),
      prev_cursor: z.string().nullable(),
      has_more: z.boolean().meta({ example: true }),
    })
    .meta({ id });
}
export type Page<T> = {
  items: T[];
  next_cursor: string | null;
  prev_cursor: string | null;
  has_more: boolean;
};

export const Timestamp = z.string().meta({ format: "date-time", example: "2026-11-21T09:30:00.000Z" });

/** An integer of 64 bits: its JSON text has every digit, also beyond 2^53, where a double would lose some. */
export const Int64 = z
  .number()
  .refine(Number.isInteger, "must be an integer")
  .meta({ type: "integer", format: "int64", example: 1 });

const Rfc3339 = z.iso.datetime({ offset: true });
// Rounded to a day, or a day away, a time beyond these could have a year that RFC 3339 cannot write.
const isWithinReason = (text: string) => Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(9999, 0);

/** A parameter or member that holds an RFC 3339 time, as a `Date`. A day that no calendar has is none. */
export const TimeParameter = z
  .string()
  .refine((text) => Rfc3339.safeParse(text).success, { error: "must be an RFC 3339 time", abort: true })
  .refine(isWithinReason, "must lie between the years 1970 and 9998")
  .transform((text) => new Date(text))
  .meta({ type: "string", format: "date-time", example: "2026-11-21T00:00:00Z" });

export const Link = z
  .object({
    rel: z.string().meta({ example: "self" }),
    href: z.string().meta({ example: "/api/v1/orders/1001" }),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  })
  .meta({ id: "Link" });
export type Link = z.infer<typeof Link>;
