import { expect, it } from "vitest";
import { pointer } from "./json-pointer.ts";

it("writes pointers in fragment form", () => {
  expect(pointer(["events", 3, "a/b~c", "ä b"])).toBe("#/events/3/a~1b~0c/%C3%A4%20b");
  expect(pointer(["$or", "a%b", "c#d", "e^f", "g?h"])).toBe("#/$or/a%25b/c%23d/e%5Ef/g?h");
  expect(pointer([])).toBe("#");
});

it("writes a pointer to any name there is", () => {
  expect(pointer(["\ud800", ""])).toBe("#/%EF%BF%BD/");
});
