import { describe, expect, it } from "vitest";
import { checkMediaType } from "./media-type.ts";
import { HttpProblem } from "./problem.ts";

function check(headers: Record<string, string>, method: "POST" | "PATCH" = "POST") {
  const request = {
    method,
    target: "/",
    header: (name: string) => headers[name],
    body: null,
    signal: new AbortController().signal,
  };
  try {
    checkMediaType(request, method);
    return "taken";
  } catch (error) {
    return error instanceof HttpProblem ? { slug: error.slug, ...error.headers } : error;
  }
}

const refused = { slug: "unsupported-media-type" };

describe("the media type of a body", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; profile=x",
  ])("may be %s", (type) => {
    expect(check({ "content-type": type })).toBe("taken");
  });

  it.each([
    "",
    "text/plain",
    "application/jsonx",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/merge-patch+json",
    "application/x-www-form-urlencoded",
  ])("must not be %j", (type) => {
    expect(check({ "content-type": type })).toEqual(refused);
  });

  it("must be there, and without a content coding", () => {
    expect(check({})).toEqual(refused);
    expect(check({ "content-type": "application/json", "content-encoding": "gzip" })).toEqual(refused);
    expect(check({ "content-type": "application/json", "content-encoding": "identity" })).toBe("taken");
  });

  it("may be a merge patch in a PATCH, and the refusal says so", () => {
    expect(check({ "content-type": "application/merge-patch+json" }, "PATCH")).toBe("taken");
    expect(check({ "content-type": "application/json" }, "PATCH")).toBe("taken");
    expect(check({ "content-type": "application/json-patch+json" }, "PATCH")).toEqual({
      ...refused,
      "accept-patch": "application/merge-patch+json",
    });
  });
});
