import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { curlOf, curlOfEvent } from "./curl.ts";

/** What a shell hands to curl for this command line. */
function argumentsOf(command: string): string[] {
  const out = execFileSync("sh", [
    "-c",
    `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }; ${command}`,
  ]);
  return out.toString("utf8").split("\0").slice(0, -1);
}

const request = { method: "POST", url: "https://example.com/in?a=1&b=2", headers: {}, body: "{}" };

describe("curlOf", () => {
  it("carries method, URL, headers and body, and leaves out what curl makes itself", () => {
    const headers = { "X-Delivery": "dlv_1", Host: "example.com", "content-length": "2" };

    expect(argumentsOf(curlOf({ ...request, headers }))).toEqual([
      "-X",
      "POST",
      "https://example.com/in?a=1&b=2",
      "-H",
      "X-Delivery: dlv_1",
      "--data-raw",
      "{}",
    ]);
  });

  it("hands any body through the shell unchanged", () => {
    // A command line cannot carry NUL, and a lone surrogate is no UTF-8.
    const body = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(body, (text) => {
        expect(argumentsOf(curlOf({ ...request, body: text })).at(-1)).toBe(text);
      }),
      { numRuns: 50, examples: [['it\'s $(rm -rf) `x` "q" \\ \n end']] },
    );
  });
});

it("publishes an event like another one, its data letter for letter", () => {
  const text = '{"id":"evt_1","type":"a.b","sequence":1,"data":{"n":1.10,"say":"it\'s"}}';
  expect(curlOfEvent(text, "https://host/api/v1")).toBe(
    [
      "curl -X POST 'https://host/api/v1/events' \\",
      '  -H "Authorization: Bearer $POSTHORN_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  --data-raw '{"type":"a.b","data":{"n":1.10,"say":"it'\\''s"}}'`,
    ].join("\n"),
  );
});
