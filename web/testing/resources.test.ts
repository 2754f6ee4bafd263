import { expect, it } from "vitest";
import {
  absentLike,
  addListItem,
  makeParams,
  makerOfPattern,
  resourcePaths,
  type Shop,
} from "./resources.ts";

// Nothing is asked of the shop before it is clear what there is to make.
const shop = {} as Shop;

it("names the place to mend when a path, a list or an id of an unknown kind turns up", async () => {
  const mend = /web\/testing\/resources\.ts/;
  await expect(makeParams(shop, "/wonders/{id}/heads")).rejects.toThrow(mend);
  await expect(addListItem(shop, "/wonders", {})).rejects.toThrow(mend);
  expect(() => makerOfPattern("^won_[0-9a-f]{8}-")).toThrow(mend);
  expect(makerOfPattern("^[A-Z]{3}$")).toBeUndefined();
});

it("finds each resource that a path names", () => {
  expect(resourcePaths("/a/{x}/b/{y}/c")).toEqual(["/a/{x}", "/a/{x}/b/{y}"]);
  expect(resourcePaths("/a")).toEqual([]);
});

it.each(["evt_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84", "1001", "invoice.paid", "v1"])(
  "makes another of the length and the shape of %s",
  (real) => {
    const other = absentLike(real);
    expect(other).not.toBe(real);
    expect(other).toHaveLength(real.length);
    expect(other.replaceAll(/[0-9a-z]/g, "x")).toBe(real.replaceAll(/[0-9a-z]/g, "x"));
  },
);
