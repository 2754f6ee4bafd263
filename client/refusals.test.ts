import { expect, it } from "vitest";
import type { EventType } from "#contracts/event-types.ts";
import type { Replay } from "#contracts/replays.ts";
import type { StoredEvent } from "./events.ts";
import { cancelRefusal, eventTypeRefusal, expungeRefusal } from "./refusals.ts";

const event = { data: {} } as StoredEvent;
const replay = (status: Replay["status"]) => ({ status }) as Replay;

it("lets administrators expunge what there is, and tells the others whom to ask", () => {
  expect(expungeRefusal(event, "admin")).toBeNull();
  expect(expungeRefusal({ ...event, data: null }, "admin")).toContain("already");
  expect(expungeRefusal(event, "operator")).toBe(
    "Your role, operator, may look but not expunge data. Ask somebody with the role admin.",
  );
});

it("lets administrators change event types that are not built in", () => {
  expect(eventTypeRefusal(undefined, "admin")).toBeNull();
  expect(eventTypeRefusal({ built_in: true } as EventType, "admin")).toContain("Posthorn itself");
  expect(eventTypeRefusal({ built_in: false } as EventType, "viewer")).toContain("role admin");
});

it("lets support cancel a replay until it has ended", () => {
  expect(cancelRefusal(replay("running"), "support")).toBeNull();
  expect(cancelRefusal(replay("queued"), "viewer")).toContain("role support");
  expect(cancelRefusal(replay("completed"), "admin")).toBe("It has ended.");
});
