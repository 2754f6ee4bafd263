import { describe, expect, it } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const OURS = "https://posthorn.example";

describe("isSameOrigin", () => {
  it.each<[boolean, Record<string, string>]>([
    [true, { "sec-fetch-site": "same-origin" }],
    [true, { "sec-fetch-site": "same-origin", origin: OURS }],
    [true, { origin: OURS }],
    [false, {}],
    [false, { origin: "null" }],
    [false, { origin: "" }],
    [false, { origin: "https://evil.example" }],
    [false, { origin: "http://posthorn.example" }],
    [false, { origin: `${OURS}:8443` }],
    [false, { origin: `${OURS}.evil.example` }],
    [false, { origin: `${OURS}, https://evil.example` }],
    [false, { origin: "https://sub.posthorn.example" }],
    [false, { "sec-fetch-site": "none" }],
    [false, { "sec-fetch-site": "same-site" }],
    // Whatever else is said beside it.
    [false, { "sec-fetch-site": "cross-site", origin: OURS }],
    [false, { "sec-fetch-site": "", origin: OURS }],
    [false, { "sec-fetch-site": "same-origin, cross-site" }],
  ])("is %s of %j", (expected, headers) => {
    expect(isSameOrigin((name) => headers[name], [OURS])).toBe(expected);
  });
});
