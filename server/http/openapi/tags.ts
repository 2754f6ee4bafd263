import type { oas31 } from "zod-openapi";
import type { Operation } from "#contracts/operation.ts";

const DESCRIPTIONS: Record<string, string> = {
  Carts: "Carts of items, from which orders are made; their every change is an event too.",
  Orders: "Orders, whose every change is an event that webhooks tell of.",
  Events: "Publishing of events, and the feed of all that happened, in order and without gaps.",
  "Event types": "The catalogue of what can be published, with schemas that hold publishers to their word.",
  "Webhook endpoints": "The URLs that receive events.",
  Deliveries: "What became of each event at each endpoint, attempt by attempt.",
  Replays: "Many deliveries sent again together, with progress.",
  "API keys": "The keys that programs of a tenant call the API with, each with its scopes.",
  "Consumer portal":
    "Links by which a consumer looks after a tenant’s webhooks without an account: limited in time and in what they let do, and revocable.",
  Tenants: "The tenants of the deployment, for its staff.",
  Staff: "The people who sign in to the console, what they may do, and their sessions.",
  Account: "One’s own password and sessions, for whoever is signed in.",
  "Audit log": "Who changed what, and what it was before: chains of entries that cannot be altered unseen.",
  Settings: "What the installation runs with, and how its parts are.",
  Webhooks:
    "The requests that Posthorn sends to registered URLs. Verify the signature over the raw bytes before anything is parsed, store the delivery under its id, answer, then process. The body is the same to the byte on every attempt. Deliveries come at least once and in no order; `sequence` tells the order of events.",
};

/** The tags of the operations in their order, and that of the webhooks. */
export function tags(operations: readonly Operation[]): oas31.TagObject[] {
  const names = new Set([...operations.map(({ tag }) => tag), "Webhooks"]);
  return [...names].map((name) => {
    const description = DESCRIPTIONS[name];
    if (description === undefined) throw new Error(`The tag ${name} needs a description.`);
    return { name, description };
  });
}
