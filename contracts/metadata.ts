import * as z from "zod";
import { storableText } from "./text.ts";

const MAX_ENTRIES = 50;
const Key = storableText().min(1).max(64);
const Value = storableText().max(500);

/** What a client keeps with a resource for its own use. */
export const Metadata = z
  .record(Key, Value)
  .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`)
  .meta({ maxProperties: MAX_ENTRIES, example: { channel: "web" } });
export type Metadata = z.infer<typeof Metadata>;

/** A merge patch of metadata (RFC 7396): null takes an entry away, and in place of all of them everything. */
export const MetadataPatch = z.record(Key, Value.nullable()).nullable();
