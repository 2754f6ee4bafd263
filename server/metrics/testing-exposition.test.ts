import { expect, it } from "vitest";
import { lintExposition, parseExposition } from "./testing-exposition.ts";

const lint = (text: string) => lintExposition(parseExposition(text));
const family = (name: string, type: string, ...samples: string[]) =>
  [`# HELP ${name} What it tells.`, `# TYPE ${name} ${type}`, ...samples].join("\n");

it("finds nothing wrong with what follows the conventions", () => {
  const histogram = [
    'a_seconds_bucket{le="1"} 2',
    'a_seconds_bucket{le="+Inf"} 3',
    "a_seconds_sum 4.5",
    "a_seconds_count 3",
  ];
  expect(lint(family("a_total", "counter", 'a_total{b="c"} 1', 'a_total{b="d"} 1'))).toEqual([]);
  expect(lint(family("a_seconds", "histogram", ...histogram))).toEqual([]);
});

it.each([
  [family("a", "counter", "a 1"), "counters alone end in _total"],
  [family("a_total", "gauge", "a_total 1"), "counters alone end in _total"],
  [family("a_ms", "gauge", "a_ms 1"), "not in base units"],
  [family("a", "gauge", 'a{b="c"} 1', 'a{b="c"} 2'), "there twice"],
  [family("a", "gauge", 'a{b="1",c="2"} 1', 'a{c="2",b="1"} 1'), "there twice"],
  [family("aB", "gauge", "aB 1"), "not in snake case"],
  ["# TYPE a gauge\na 1", "no HELP"],
  ["a 1", "no TYPE"],
  [family("a", "gauge", "a x"), "is no number"],
  [
    family("a", "histogram", 'a_bucket{le="1"} 2', 'a_bucket{le="+Inf"} 1', "a_sum 1", "a_count 1"),
    "not cumulative",
  ],
  [
    family("a", "histogram", 'a_bucket{le="1"} 1', "a_sum 1", "a_count 1"),
    "the last bucket is not the count",
  ],
  [family("a", "histogram", 'a_bucket{le="+Inf"} 1', "a_count 1"), "no sum"],
])("finds what is wrong: %j", (text, defect) => {
  expect(lint(text).join("; ")).toContain(defect);
});

it("takes no line that is none of the format", () => {
  expect(() => parseExposition("a{b=c 1 2 3")).toThrow("no line of the format");
  expect(() => parseExposition("# HELP a b\n# HELP a c")).toThrow("told twice");
});
