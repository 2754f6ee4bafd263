import { describe, expect, it } from "vitest";
import { problemOf } from "#sdk/api-problem.ts";
import { fieldProblem, isToldByFields } from "./field-problem.ts";

const refused = (errors: object[]) =>
  problemOf(
    { status: 422, headers: new Headers({ "content-type": "application/problem+json" }) },
    { type: "https://x/problems/validation-error", title: "Validation error", status: 422, errors },
    0,
  );

describe("fieldProblem", () => {
  it("gives the words for the member that they are about", () => {
    const error = refused([{ detail: "must not be blank", pointer: "#/name" }]);
    expect(fieldProblem(error, "name")).toBe("Must not be blank");
    expect(fieldProblem(error, "email")).toBeUndefined();
    expect(fieldProblem(new Error("x"), "name")).toBeUndefined();
  });
});

describe("isToldByFields", () => {
  it("holds only when every defect has its field", () => {
    const two = refused([
      { detail: "a", pointer: "#/name" },
      { detail: "b", pointer: "#" },
    ]);
    expect(isToldByFields(two, ["name"])).toBe(false);
    expect(isToldByFields(refused([{ detail: "a", pointer: "#/name" }]), ["name"])).toBe(true);
    expect(isToldByFields(refused([]), ["name"])).toBe(false);
  });
});
