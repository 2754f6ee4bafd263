import { describe, expect, it } from "vitest";
import { HOTKEYS, isPressed, keyCaps } from "./hotkeys.ts";

const press = (key: string, more: Partial<Parameters<typeof isPressed>[0]> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false },
  ...more,
});

describe("isPressed", () => {
  it("takes Control and Command for mod, and a bare key for nothing else", () => {
    expect(isPressed(press("k", { ctrlKey: true }), "mod+k")).toBe(true);
    expect(isPressed(press("K", { metaKey: true }), "mod+k")).toBe(true);
    expect(isPressed(press("k"), "mod+k")).toBe(false);
    expect(isPressed(press("k", { ctrlKey: true }), "k")).toBe(false);
    expect(isPressed(press("r", { altKey: true }), "r")).toBe(false);
  });

  it("knows a sign by itself, wherever the keyboard has it", () => {
    expect(isPressed(press("?"), "?")).toBe(true);
    expect(isPressed(press("/"), "?")).toBe(false);
  });
});

it("has no key twice in one place", () => {
  const all = Object.values(HOTKEYS).map(({ group, keys }) => `${group} ${keys}`);
  expect(new Set(all).size).toBe(all.length);
});

it("writes keys as keyboards do", () => {
  expect(keyCaps("mod+k", false)).toEqual(["Ctrl", "K"]);
  expect(keyCaps("mod+k", true)).toEqual(["⌘", "K"]);
  expect(keyCaps("Escape", false)).toEqual(["Esc"]);
});
