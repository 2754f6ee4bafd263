import { customType, timestamp } from "drizzle-orm/pg-core";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** A 64-bit integer as decimal text: versions and sequences are compared as text and never rounded. */
export const int64 = customType<{ data: string }>({ dataType: () => "bigint" });

/** A moment to the microsecond, as a Date of milliseconds. Cursors read it through `cursorTime`. */
export const moment = (name?: string) => {
  const options = { withTimezone: true, precision: 6 } as const;
  return name ? timestamp(name, options) : timestamp(options);
};
