import { describe, expect, it } from "vitest";
import { chooseTenant } from "./tenants.ts";
import { testId } from "./testing/make.ts";

const newest = { id: testId("tenant", 2) };
const oldest = { id: testId("tenant", 1) };
const tenants = [newest, oldest];
const choose = (inAddress: string | null, remembered: string | null) =>
  chooseTenant(tenants, { inAddress, remembered: () => remembered });

describe("chooseTenant", () => {
  it("follows the address, even to a tenant that is not in the list", () => {
    expect(choose(testId("tenant", 9), newest.id)).toBe(testId("tenant", 9));
  });

  it("pays no heed to an address that names no tenant at all", () => {
    expect(choose("<script>", newest.id)).toBe(newest.id);
  });

  it("goes back to the one that was looked at last, if it is still there", () => {
    expect(choose(null, newest.id)).toBe(newest.id);
    expect(choose(null, testId("tenant", 9))).toBe(oldest.id);
  });

  it("waits for the list only where the address names none", () => {
    const remembered = () => newest.id;
    expect(chooseTenant(undefined, { inAddress: testId("tenant", 9), remembered })).toBe(testId("tenant", 9));
    expect(chooseTenant(undefined, { inAddress: null, remembered })).toBeNull();
  });

  it("begins with the oldest, and with none when there is none", () => {
    expect(choose(null, null)).toBe(oldest.id);
    expect(chooseTenant([], { inAddress: null, remembered: () => null })).toBeNull();
  });
});
