import { expect, it } from "vitest";
import type { EventType } from "#contracts/event-types.ts";
import type { Replay } from "#contracts/replays.ts";
import type { Role } from "#contracts/scopes.ts";
import type { StoredEvent } from "./events.ts";
import { cancelRefusal, eventTypeRefusal, expungeRefusal } from "./refusals.ts";
import { type Refuse, roleRefusal } from "./role-refusal.ts";

const event = { data: {} } as StoredEvent;
const as =
  (role: Role): Refuse =>
  (scope, what) =>
    roleRefusal(role, scope, what);
const replay = (status: Replay["status"]) => ({ status }) as Replay;

it("lets administrators expunge what there is, and tells the others whom to ask", () => {
  expect(expungeRefusal(event, as("admin"))).toBeNull();
  expect(expungeRefusal({ ...event, data: null }, as("admin"))).toContain("already");
  expect(expungeRefusal(event, as("operator"))).toBe(
    "Your role, operator, may not expunge data. Ask somebody with the role admin.",
  );
});

it("lets administrators change event types that are not built in", () => {
  expect(eventTypeRefusal(undefined, as("admin"))).toBeNull();
  expect(eventTypeRefusal({ built_in: true } as EventType, as("admin"))).toContain("Posthorn itself");
  expect(eventTypeRefusal({ built_in: false } as EventType, as("viewer"))).toContain("role admin");
});

it("lets support cancel a replay until it has ended", () => {
  expect(cancelRefusal(replay("running"), as("support"))).toBeNull();
  expect(cancelRefusal(replay("queued"), as("viewer"))).toContain("role support");
  expect(cancelRefusal(replay("completed"), as("admin"))).toBe("It has ended.");
});
