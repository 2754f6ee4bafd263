import * as z from "zod";

/** No amount of money that is taken or given is above this, in major units. */
export const MAX_AMOUNT = 999_999_999_999.99;

/** An amount in major units. How many decimals it may have depends on its currency. */
export const Amount = z.number().min(0).max(MAX_AMOUNT).meta({ example: 49.9 });

/** The code of a currency (ISO 4217). That it is a real one is seen to where its decimals are. */
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be three capital letters")
  .meta({ example: "EUR" });
