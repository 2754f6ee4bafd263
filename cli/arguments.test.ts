import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import {
  emailArgument,
  futureArgument,
  keyArgument,
  nameArgument,
  roleArgument,
  scopesArgument,
  tenantArgument,
} from "./arguments.ts";

const UUID = "01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84";

describe("words of the command line", () => {
  it("are taken in their one canonical form", () => {
    expect(nameArgument("  Acme\u00a0Ltd ")).toBe("Acme\u00a0Ltd");
    expect(nameArgument("é".repeat(100))).toBe("é".repeat(100));
    expect(emailArgument("Ada@Example.com")).toBe("ada@example.com");
    expect(tenantArgument(`ten_${UUID}`)).toBe(UUID);
    expect(keyArgument(`key_${UUID}`)).toBe(UUID);
    expect(scopesArgument("orders:write, events:read,events:read")).toEqual(["orders:write", "events:read"]);
    expect(futureArgument("2199-12-31T22:00:00-01:00").toISOString()).toBe("2199-12-31T23:00:00.000Z");
    expect(roleArgument("admin")).toBe("admin");
  });

  it.each<[string, (text: string) => unknown, string[]]>([
    ["a name", nameArgument, ["", "   ", "a".repeat(101), "a\u001bb", "a\nb", "a\u202eb"]],
    ["an e-mail", emailArgument, ["", "eve", "eve@", "a b@example.com", `${"a".repeat(250)}@b.example`]],
    [
      "a tenant",
      tenantArgument,
      ["", "Acme", UUID, `key_${UUID}`, `ten_${UUID.toUpperCase()}`, `ten_${UUID}0`],
    ],
    ["a key", keyArgument, ["", `ten_${UUID}`, "key_1"]],
    [
      "scopes",
      scopesArgument,
      ["", ",", "everything", "orders:read,tenants:read", "orders:read;events:read"],
    ],
    [
      "a time to come",
      futureArgument,
      ["", "tomorrow", "2199-02-30T00:00:00Z", "2199-01-01", "2199-01-01T00:00:00", "2020-01-01T00:00:00Z"],
    ],
    ["a role", roleArgument, ["", "root", "Admin"]],
  ])("are refused when they are not %s", (_what, parse, texts) => {
    for (const text of texts) expect(() => parse(text), JSON.stringify(text)).toThrow(InvalidArgumentError);
  });
});
