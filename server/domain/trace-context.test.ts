import fc from "fast-check";
import { uuidv7 } from "uuidv7";
import { describe, expect, it } from "vitest";
import { parseTraceparent, publishSpanIdOf, traceIdOf, traceparentOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent", () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    // Flags that are not known say nothing of the one that is.
    [`00-${TRACE}-${SPAN}-ff`, true],
    [`00-${TRACE}-${SPAN}-02`, false],
    // A version to come may have more behind a dash (§4.3).
    [`cc-${TRACE}-${SPAN}-01-what-the-future-holds`, true],
    [`cc-${TRACE}-${SPAN}-01`, true],
  ])("is read: %s", (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    undefined,
    "",
    "00",
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-011`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `0-${TRACE}-${SPAN}-01`,
    `.0-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${TRACE}-${SPAN}-0X`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    `00-${TRACE}-${SPAN}0-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `00_${TRACE}_${SPAN}_01`,
  ])("is ignored: %j", (header) => expect(parseTraceparent(header)).toBeUndefined());

  it("of any text is read or ignored, and what is read is what was sent", () => {
    const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    fc.assert(
      fc.property(hex(2), hex(32), hex(16), hex(2), (version, trace, span, flags) => {
        const read = parseTraceparent(`${version}-${trace}-${span}-${flags}`);
        const isValid = version !== "ff" && !/^0+$/.test(trace) && !/^0+$/.test(span);
        expect(read !== undefined).toBe(isValid);
        if (read) expect([read.traceId, read.spanId]).toEqual([trace, span]);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseTraceparent(text) === undefined));
  });
});

describe("the trace of an event", () => {
  it("is its id, and the span that stored it the second half: both valid by the grammar", () => {
    for (let i = 0; i < 1_000; i++) {
      const id = uuidv7();
      const isSampled = i % 2 === 0;
      const header = traceparentOf(traceIdOf(id), { spanId: publishSpanIdOf(id), isSampled });
      expect(parseTraceparent(header)).toEqual({
        traceId: id.replaceAll("-", ""),
        spanId: traceIdOf(id).slice(16),
        isSampled,
      });
    }
    // The variant bits are never zero.
    expect(
      parseTraceparent(traceparentOf("00000000000070008000000000000000", { spanId: SPAN, isSampled: true })),
    ).toBeDefined();
  });
});
