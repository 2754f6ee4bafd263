import { expect, it } from "vitest";
import { playwright, vitest } from "./test-runner.ts";

it("counts a test file that could not be loaded as one failure", () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
    ],
  };
  expect(vitest.count(report)).toEqual({ passed: 5, failed: 2, skipped: 3 });
});

it("counts a set-up that failed and a test that passed only at the second try as failures", () => {
  const report = {
    stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: "no set-up" }],
  };
  expect(playwright.count(report)).toEqual({ passed: 4, failed: 3, skipped: 2 });
});
