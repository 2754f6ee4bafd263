import { describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { HttpProblem, internalErrorResponse, problemResponse, toAppError } from "./problem.ts";

const occurrence = { origin: "https://posthorn.example", requestId: "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84" };
const databaseError = (code: string, message = 'relation "secrets" at /srv/app') =>
  Object.assign(new Error(message), { code });

describe("a problem", () => {
  it("has the members of RFC 9457, its issues and what else it tells", () => {
    const error = new AppError("validation-error", "No.", {
      issues: [{ detail: "must be text", pointer: "#/a" }],
      members: { state: "paid" },
    });
    const { status, headers, body } = problemResponse(error, occurrence);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      422,
      "application/problem+json",
      "no-store",
    ]);
    expect(JSON.parse(body ?? "")).toEqual({
      type: "https://posthorn.example/problems/validation-error",
      title: "Validation error",
      status: 422,
      detail: "No.",
      instance: `urn:uuid:${occurrence.requestId}`,
      errors: [{ detail: "must be text", pointer: "#/a" }],
      state: "paid",
    });
  });

  it("says in headers when to come again, who may call and what is accepted", () => {
    const headers = (error: AppError) => problemResponse(error, occurrence).headers;
    expect(headers(new AppError("unavailable", ""))["retry-after"]).toBe("2");
    expect(headers(new AppError("idempotency-in-progress", ""))["retry-after"]).toBe("1");
    expect(headers(new AppError("unauthenticated", ""))["www-authenticate"]).toBe("Bearer");
    expect(headers(new HttpProblem("method-not-allowed", "", { allow: "GET" })).allow).toBe("GET");
  });
});

describe("what was thrown", () => {
  it.each([
    ["ECONNREFUSED", "unavailable"],
    ["57P01", "unavailable"],
    ["53100", "unavailable"],
    ["57014", "timeout"],
  ])("with code %s is %s, whatever wraps it", (code, slug) => {
    expect(toAppError(databaseError(code))?.slug).toBe(slug);
    expect(toAppError(new Error("Failed query", { cause: databaseError(code) }))?.slug).toBe(slug);
    expect(toAppError(databaseError(code))?.message).not.toContain("secrets");
  });

  it("and was not foreseen says no more than its status", () => {
    for (const error of [databaseError("42P01"), new TypeError("x is undefined"), "text"])
      expect(toAppError(error)).toBeUndefined();
    const { status, body } = internalErrorResponse(occurrence.requestId);
    expect([status, JSON.parse(body ?? "")]).toEqual([
      500,
      {
        type: "about:blank",
        title: "Internal Server Error",
        status: 500,
        instance: `urn:uuid:${occurrence.requestId}`,
      },
    ]);
  });
});
