import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_AMOUNT } from "#contracts/money.ts";
import { currencyOf, exactAmount } from "./check-money.ts";
import { minorDigits } from "./domain/currency.ts";
import { AppError } from "./errors.ts";

// Every code of three letters, so that the list of currencies is asked for none that it forgot.
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)));
const currencies = codes
  .filter((code) => minorDigits(code) !== undefined)
  .map((code) => currencyOf(code, "#/c"));

function pointerOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.issues[0]?.pointer;
  }
}

const units = fc.bigInt({ min: 0n, max: BigInt(Math.round(MAX_AMOUNT)) * 10_000n });

/** An amount of so many minor units, as a decimal. */
function decimalOf(minor: bigint, digits: number): string {
  const text = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

describe("the amount of any currency", () => {
  it("keeps its every digit, with as many decimals as ISO 4217 gives it", () => {
    expect(currencies.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(fc.constantFrom(...currencies), units, (currency, minor) => {
        const text = decimalOf(minor, currency.digits);
        expect(exactAmount(text, currency, "#/t")).toBe(trimmed(text));
      }),
      { numRuns: 500 },
    );
  });

  it("is the same however its number is spelled", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        units,
        fc.integer({ min: -30, max: 30 }),
        (currency, minor, by) => {
          const spelled = `${minor}e${by - currency.digits}`;
          const isWhole = by >= 0 || minor % 10n ** BigInt(-by) === 0n;
          const read = () => exactAmount(spelled, currency, "#/t");
          if (!isWhole) {
            expect(pointerOf(read)).toBe("#/t");
            return;
          }
          const value = by >= 0 ? minor * 10n ** BigInt(by) : minor / 10n ** BigInt(-by);
          expect(read()).toBe(trimmed(decimalOf(value, currency.digits)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("has not one decimal more, unless that is a zero", () => {
    for (const currency of currencies) {
      const zeros = `1.${"0".repeat(currency.digits)}`;
      expect(exactAmount(`${zeros}0`, currency, "#/t")).toBe("1");
      expect(
        pointerOf(() => exactAmount(`${zeros}1`, currency, "#/t")),
        currency.code,
      ).toBe("#/t");
    }
  });
});

it("knows no currency that ISO 4217 does not", () => {
  expect(pointerOf(() => currencyOf("XXX", "#/Currency"))).toBe("#/Currency");
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!currencies.some(({ code }) => code === text));
      expect(pointerOf(() => currencyOf(text, "#/Currency"))).toBe("#/Currency");
    }),
  );
});
