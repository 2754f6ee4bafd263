import { MAX_ADDRESS_BYTES } from "#contracts/orders.ts";
import { exactJson } from "../domain/exact-number.ts";
import { validationError } from "../errors.ts";

/**
 * The JSON text of an address that has been found valid, as it is kept: each number as it was spelled, and no needless
 * space. `null` for none. 422 when the spelling of its numbers makes it too long.
 */
export function keptAddress(spelling: string | undefined): string | null {
  if (spelling === undefined || spelling === "null") return null;
  const text = JSON.stringify(exactJson(spelling));
  if (Buffer.byteLength(text) <= MAX_ADDRESS_BYTES) return text;
  throw validationError([{ detail: "must be at most 2 kB", pointer: "#/shipping_address" }]);
}
