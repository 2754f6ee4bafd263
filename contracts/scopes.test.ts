import { expect, it } from "vitest";
import { API_KEY_SCOPES, ROLE_SCOPES, ROLES, type Scope } from "./scopes.ts";

it("gives each role of the console what the one before it holds, and more", () => {
  for (const [index, role] of ROLES.entries()) {
    const before = ROLE_SCOPES[ROLES[index - 1] ?? role];
    expect(ROLE_SCOPES[role]).toEqual(expect.arrayContaining([...before]));
    expect(new Set(ROLE_SCOPES[role]).size).toBe(ROLE_SCOPES[role].length);
  }
});

it("lets nobody but the shop itself, by a key, change carts and orders or publish events", () => {
  const shop: Scope[] = ["carts:write", "orders:write", "orders:fulfil", "events:write"];
  expect(API_KEY_SCOPES).toEqual(expect.arrayContaining(shop));
  for (const role of ROLES) for (const scope of shop) expect(ROLE_SCOPES[role], role).not.toContain(scope);
});
