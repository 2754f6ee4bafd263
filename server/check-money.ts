import { minorDigits } from "./domain/currency.ts";
import { parseDecimal } from "./domain/exact-number.ts";
import { validationError } from "./errors.ts";

/** A currency of ISO 4217, with how many decimals its amounts have. */
export interface Currency {
  code: string;
  digits: number;
}

/** The currency of that code; 422 with `pointer` where there is none. */
export function currencyOf(code: string, pointer: string): Currency {
  const digits = minorDigits(code);
  if (digits === undefined) throw validationError([{ detail: "must be an ISO 4217 currency", pointer }]);
  return { code, digits };
}

/**
 * The decimal text of an amount by its spelling in JSON, since reading it as a number could round it. 422 with `pointer`
 * when it has more decimals than the currency.
 */
export function exactAmount(spelling: string, { code, digits }: Currency, pointer: string): string {
  const amount = parseDecimal(spelling);
  if (amount && amount.decimals <= digits) return amount.text;
  throw validationError([{ detail: `must have at most ${digits} decimals, as ${code} has`, pointer }]);
}
