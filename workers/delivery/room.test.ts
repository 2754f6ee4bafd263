import { expect, it } from "vitest";
import { Room } from "./room.ts";

/** A worker that holds so many fresh deliveries of a kilobyte, and as many results that are not written. */
function roomOf({ held = 0, unwritten = 0, kilobytes = 1 }) {
  return new Room({
    dispatcher: { load: () => held, bytes: () => held * kilobytes * 1024 },
    held: { has: () => false },
    intake: { bytesPerDelivery: kilobytes * 1024 },
    settler: { pending: unwritten },
  });
}

it("has room up to what a worker may hold, by number and by bytes, and none while results pile up", () => {
  expect(roomOf({}).for("deliver")).toBe(1_000);
  expect(roomOf({ held: 990 }).for("deliver")).toBe(10);
  expect(roomOf({ held: 1_200 }).for("deliver")).toBe(0);
  expect(roomOf({ held: 100, kilobytes: 256 }).for("deliver")).toBe(28);
  expect(roomOf({ unwritten: 2_001 }).for("deliver")).toBe(0);
});

it("is left to grow until half of it is free, unless there is nothing to take", () => {
  expect(roomOf({ held: 600 }).endOf("deliver", "more")).toBe("full");
  expect(roomOf({ held: 400 }).endOf("deliver", "more")).toBe("more");
  expect(roomOf({ held: 70, kilobytes: 256 }).endOf("deliver", "more")).toBe("full");
  expect(roomOf({ held: 600 }).endOf("deliver", "idle")).toBe("idle");
});

it("is filled at once by who holds little, and by others after a moment in which more may come", () => {
  expect(roomOf({ held: 499 }).gatherMs("deliver")).toBe(0);
  expect(roomOf({ held: 500 }).gatherMs("deliver")).toBe(25);
});
