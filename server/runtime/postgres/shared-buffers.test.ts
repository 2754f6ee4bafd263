import { expect, it } from "vitest";
import { machineMemory, sharedBuffersMiB } from "./shared-buffers.ts";

const GIB = 1024 ** 3;

it.each([
  [0.5, 128],
  [2, 128],
  [4, 256],
  [8, 512],
  [64, 512],
])("takes of %d GiB %d MiB", (gib, mib) => {
  expect(sharedBuffersMiB(gib * GIB)).toBe(mib);
});

it("knows how much memory there is", () => {
  expect(machineMemory()).toBeGreaterThan(GIB / 4);
});
