import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, shadesOf } from "./accent.ts";

const LIGHT_GREY = "#f4f4f6";
const DARK = "#131317";
const DARK_HOVER = "#1d1d23";

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("shadesOf", () => {
  it("keeps an accent that can be read", () => {
    expect(shadesOf("#0a5c47")[7]).toBe("#0a5c47");
  });

  it("darkens one that is too light for white text, and lightens one that is lost in the dark", () => {
    expect(contrast(shadesOf("#ffd400")[7], "#ffffff")).toBeGreaterThan(4.5);
    expect(contrast(shadesOf("#000000")[7], DARK)).toBeGreaterThan(1.5);
  });

  it("gives text enough contrast in both schemes, whatever the accent", () => {
    fc.assert(
      fc.property(anyColor, (accent) => {
        const shades = shadesOf(accent);
        for (const filled of [shades[7], shades[8]])
          expect(contrast(filled, "#ffffff")).toBeGreaterThanOrEqual(4.5);
        expect(contrast(shades[7], LIGHT_GREY)).toBeGreaterThanOrEqual(4.5);
        for (const ground of [DARK, DARK_HOVER])
          expect(contrast(shades[3], ground)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

it("counts contrast as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
