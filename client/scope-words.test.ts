import { expect, it } from "vitest";
import { API_KEY_SCOPES } from "#contracts/scopes.ts";
import { SCOPE_GROUPS } from "./scope-words.ts";

it("offers every scope once", () => {
  const offered = SCOPE_GROUPS.flatMap(({ scopes }) => scopes);

  expect([...offered].sort()).toEqual([...API_KEY_SCOPES].sort());
});
