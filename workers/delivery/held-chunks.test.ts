import { expect, it } from "vitest";
import { HeldChunks } from "./held-chunks.ts";
import type { Chunk } from "./types.ts";

const chunk = (id: string, retryCount = 0): Chunk => ({
  ...{ id, retryCount, queue: "deliver", claimedAt: 0, open: 1, isLost: false },
});

it("marks as lost what is not among those that are still ours", () => {
  const held = new HeldChunks();
  const [a, b, c] = [chunk("a"), chunk("b"), chunk("c")];
  held.add([a, b, c]);
  held.delete([c]);
  expect(held.keep(new Set(["b", "c", "x"]))).toBe(1);
  expect([a.isLost, b.isLost, c.isLost]).toEqual([true, false, false]);
  expect(held.ids).toEqual(["b"]);
});

it("knows of a job that expired here and came again only the later one", () => {
  const held = new HeldChunks();
  const [before, after] = [chunk("a"), chunk("a", 1)];
  held.add([before]);
  held.add([after]);
  expect([before.isLost, after.isLost]).toEqual([true, false]);
  held.delete([before]);
  expect(held.ids).toEqual(["a"]);
  held.delete([after]);
  expect(held.ids).toEqual([]);
});
