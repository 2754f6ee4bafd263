import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, TimeParameter, Timestamp } from "./page.ts";
import { API_KEY_SCOPES } from "./scopes.ts";
import { storableText } from "./text.ts";

const KEY_STATES = ["active", "expired", "revoked"] as const;
const KeyScope = z.enum(API_KEY_SCOPES).meta({ id: "Scope" });

/** The most keys of a tenant that are valid at a time. */
export const MAX_ACTIVE_KEYS = 1000;

export const ApiKey = z
  .object({
    id: idSchema("apiKey"),
    name: z.string().meta({ example: "deploy" }),
    prefix: z
      .string()
      .describe("The part of the key that may be known; it tells keys apart.")
      .meta({ example: "ph_live_7Zq2mB9tXr4KcW1s" }),
    scopes: z.array(KeyScope).meta({ example: ["orders:read", "orders:write"] }),
    state: z.enum(KEY_STATES).meta({ example: "active" }),
    created_at: Timestamp,
    expires_at: Timestamp.nullable().describe("Null: it lives until it is revoked."),
    revoked_at: Timestamp.nullable().meta({ example: null }),
    last_used_at: Timestamp.nullable().describe("To the minute."),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

const NewlyMadeKey = ApiKey.extend({
  key: z
    .string()
    .describe("The key itself. It is shown this once and never again.")
    .meta({ example: "ph_live_7Zq2mB9tXr4KcW1s_9pTn3VxLr6YwQe8HdKs2JmFb5Uc7Za4G0kQ2Zr" }),
}).meta({ id: "NewlyMadeApiKey" });

const NewKey = z
  .strictObject({
    name: storableText().min(1).max(100).describe("What it is for.").meta({ example: "deploy" }),
    scopes: z
      .array(KeyScope)
      .min(1)
      .max(50)
      .meta({ example: ["orders:read", "orders:write"] }),
    expires_at: TimeParameter.nullable()
      .default(null)
      .describe("When it ends; without it, it lives until it is revoked.")
      .meta({ example: "2030-12-31T23:59:59Z" }),
  })
  .meta({ id: "NewApiKey" });
export type NewKey = z.infer<typeof NewKey>;

const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .describe("How long the key that is replaced stays valid, where it does not end sooner."),
  })
  .meta({ id: "ApiKeyRotation" });

const common = { tag: "API keys", scope: "keys:manage" } as const;
const params = z.object({ id: idParameter("apiKey") });

export const createKey = operation({
  ...common,
  id: "createApiKey",
  recentSignIn: true,
  method: "POST",
  path: "/api-keys",
  summary: "Make an API key",
  description: `A key gives no scope that it does not hold itself (403). At most ${MAX_ACTIVE_KEYS} keys of a tenant are valid at a time.`,
  body: NewKey,
  response: NewlyMadeKey,
  status: 201,
  showsSecret: true,
});

export const listKeys = operation({
  ...common,
  id: "listApiKeys",
  method: "GET",
  path: "/api-keys",
  summary: "List API keys, newest first",
  description: "Those that are expired or revoked too; never a key itself.",
  query: z.strictObject(pageQuery),
  response: pageOf(ApiKey, "ApiKeyPage"),
  status: 200,
});

export const getKey = operation({
  ...common,
  id: "getApiKey",
  method: "GET",
  path: "/api-keys/{id}",
  summary: "Read one API key",
  params,
  response: ApiKey,
  status: 200,
});

export const rotateKey = operation({
  ...common,
  id: "rotateApiKey",
  recentSignIn: true,
  method: "POST",
  path: "/api-keys/{id}/rotate",
  summary: "Replace an API key",
  description:
    "The new key has the name, the scopes and the end of the old one and is the same principal: its cursors and idempotency keys go on working. The old one ends after the overlap. Refused (409) for a key that has ended or been replaced before, and (403) for one with scopes that the calling key does not hold.",
  params,
  body: KeyRotation,
  bodyOptional: true,
  response: NewlyMadeKey,
  status: 201,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const revokeKey = operation({
  ...common,
  id: "revokeApiKey",
  method: "DELETE",
  path: "/api-keys/{id}",
  summary: "Revoke an API key",
  description: "It is refused from now on, and stays in the list. A repeat is 204 too.",
  params,
  status: 204,
});
