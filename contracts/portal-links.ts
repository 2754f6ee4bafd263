import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, Timestamp } from "./page.ts";
import type { Scope } from "./scopes.ts";
import { storableText } from "./text.ts";

const LINK_STATES = ["active", "expired", "revoked"] as const;

export const PORTAL_ACCESS = ["endpoints", "secrets", "replay"] as const;
export type PortalAccess = (typeof PORTAL_ACCESS)[number];

/** What every link lets its bearer see. */
const VIEW_SCOPES = ["portal:read", "webhooks:read", "deliveries:read", "events:read"] as const;

/** What each access adds. A link holds nothing else, whatever its maker holds. */
const ACCESS_SCOPES = {
  endpoints: "webhooks:write",
  secrets: "secrets:rotate",
  replay: "deliveries:replay",
} as const satisfies Record<PortalAccess, Scope>;

/** The scopes that a link of this access holds, in the order of the contract. */
export function portalScopes(access: readonly string[]): Scope[] {
  return [
    ...VIEW_SCOPES,
    ...PORTAL_ACCESS.filter((name) => access.includes(name)).map((name) => ACCESS_SCOPES[name]),
  ];
}

/** The most links of a tenant that are valid at a time. */
export const MAX_ACTIVE_LINKS = 10_000;
const MIN_LINK_SECONDS = 60;
const MAX_LINK_SECONDS = 30 * 86_400;
const DEFAULT_LINK_SECONDS = 86_400;
const MAX_FRAME_ANCESTORS = 10;
export const MAX_LOGO_BYTES = 64 * 1024;

const LOGO =
  /^data:image\/(?:png|jpeg|webp);base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MAX_LOGO_LENGTH = "data:image/jpeg;base64,".length + Math.ceil(MAX_LOGO_BYTES / 3) * 4;

const Access = z
  .array(z.enum(PORTAL_ACCESS))
  .max(PORTAL_ACCESS.length)
  .describe(
    "What the bearer may do beyond looking: `endpoints` registers, changes, pauses and deletes endpoints, `secrets` rotates and revokes their secrets, `replay` sends again, recovers, dismisses, cancels and sends test events.",
  )
  .meta({ example: ["endpoints", "secrets", "replay"] });

const AccentColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be #rrggbb")
  .nullable()
  .describe("Null: the colour of the console.")
  .meta({ example: "#0a7d5c" });

const ThemeName = storableText()
  .min(1)
  .max(60)
  .nullable()
  .describe("What the page calls itself; null: the tenant’s name.")
  .meta({ example: "Acme webhooks" });

const LogoUrl = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .regex(LOGO, "must be a data: URL of a PNG, JPEG or WebP image in base64")
  .nullable()
  .describe(
    `A PNG, JPEG or WebP image as a \`data:\` URL, of at most ${MAX_LOGO_BYTES / 1024} KiB: the page loads nothing from elsewhere.`,
  )
  .meta({
    example:
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  });

const NewTheme = z
  .strictObject({
    name: ThemeName.default(null),
    accent_color: AccentColor.default(null),
    logo_url: LogoUrl.default(null),
  })
  .meta({ id: "NewPortalTheme" });
export type NewTheme = z.output<typeof NewTheme>;

// Names and ports only: what else a URL may hold, a policy could read as something else than an origin.
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const ANCESTOR = new RegExp(
  `^(?:https://${LABEL}(?:\\.${LABEL})*|http://(?:localhost|127\\.0\\.0\\.1))(?::[1-9][0-9]{0,4})?$`,
);

const FrameAncestors = z
  .array(
    z
      .string()
      .max(255)
      .regex(ANCESTOR, "must be an origin such as https://app.example.com, without a path or a wildcard"),
  )
  .max(MAX_FRAME_ANCESTORS)
  .describe(
    "Origins whose pages may show the portal in a frame: `https`, or `http` on localhost for development. Empty: none may.",
  )
  .meta({ example: ["https://app.example.com"] });

const members = {
  id: idSchema("portalLink"),
  name: z.string().describe("Who it is for.").meta({ example: "Kim of Acme" }),
  access: z.array(z.enum(PORTAL_ACCESS)).meta({ example: ["endpoints", "replay"] }),
  theme: z
    .object({
      name: z.string().nullable().meta({ example: "Acme webhooks" }),
      accent_color: z.string().nullable().meta({ example: "#0a7d5c" }),
      has_logo: z.boolean().describe("`GET /portal` shows the logo itself."),
    })
    .meta({ id: "PortalTheme" }),
  frame_ancestors: z.array(z.string()).meta({ example: ["https://app.example.com"] }),
  state: z.enum(LINK_STATES).meta({ example: "active" }),
  created_by: z
    .string()
    .describe("E-mail of a member of staff, or id of an API key.")
    .meta({ example: "admin@example.com" }),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Timestamp.nullable().meta({ example: null }),
  last_used_at: Timestamp.nullable().describe("To the minute."),
};

export const PortalLink = z.object(members).meta({ id: "PortalLink" });
export type PortalLink = z.infer<typeof PortalLink>;

const NewlyMadeLink = PortalLink.extend({
  url: z
    .string()
    .describe(
      "The link itself; its last part is the bearer token of the portal. It is shown this once and never again.",
    )
    .meta({
      example:
        "https://posthorn.example.com/portal/posthorn_portal_9pTn3VxLr6YwQe8HdKs2JmFb5Uc7Za4G0kQ2ZrB1tXr4KcW1sMvE8hP",
    }),
}).meta({ id: "NewlyMadePortalLink" });
export type NewlyMadeLink = z.infer<typeof NewlyMadeLink>;

const NewLink = z
  .strictObject({
    name: storableText().min(1).max(100).describe("Who it is for.").meta({ example: "Kim of Acme" }),
    expires_in_seconds: z
      .int()
      .min(MIN_LINK_SECONDS)
      .max(MAX_LINK_SECONDS)
      .default(DEFAULT_LINK_SECONDS)
      .describe("How long it holds: a minute to 30 days."),
    access: Access.default([]),
    theme: NewTheme.default({ name: null, accent_color: null, logo_url: null }),
    frame_ancestors: FrameAncestors.default([]),
  })
  .meta({ id: "NewPortalLink" });
export type NewLink = z.output<typeof NewLink>;

/** What the bearer of a link may know of it. */
export const Portal = z
  .object({
    id: idSchema("portalLink"),
    tenant: z.object({ id: idSchema("tenant"), name: z.string().meta({ example: "Acme" }) }),
    theme: z.object({
      name: z.string().nullable().meta({ example: "Acme webhooks" }),
      accent_color: z.string().nullable().meta({ example: "#0a7d5c" }),
      logo_url: z.string().nullable().meta({ example: null }),
    }),
    access: z.array(z.enum(PORTAL_ACCESS)).meta({ example: ["endpoints", "replay"] }),
    scopes: z
      .array(z.string())
      .describe("What its token holds.")
      .meta({ example: [...VIEW_SCOPES] }),
    expires_at: Timestamp,
  })
  .meta({ id: "Portal" });
export type Portal = z.infer<typeof Portal>;

const common = { tag: "Consumer portal" } as const;
const params = z.object({ id: idParameter("portalLink") });

export const createPortalLink = operation({
  ...common,
  id: "createPortalLink",
  scope: "portal-links:write",
  recentSignIn: true,
  method: "POST",
  path: "/portal-links",
  summary: "Make a link to the consumer portal",
  description: `Whoever has the link manages the tenant’s webhooks until it ends, without an account. A link gives no scope that its maker does not hold (403). At most ${MAX_ACTIVE_LINKS.toLocaleString("en")} links of a tenant are valid at a time.`,
  body: NewLink,
  response: NewlyMadeLink,
  status: 201,
  showsSecret: true,
});

export const listPortalLinks = operation({
  ...common,
  id: "listPortalLinks",
  scope: "portal-links:read",
  method: "GET",
  path: "/portal-links",
  summary: "List the links to the consumer portal, newest first",
  description: "Those that are expired or revoked too; never a link itself.",
  query: z.strictObject(pageQuery),
  response: pageOf(PortalLink, "PortalLinkPage"),
  status: 200,
});

export const getPortalLink = operation({
  ...common,
  id: "getPortalLink",
  scope: "portal-links:read",
  method: "GET",
  path: "/portal-links/{id}",
  summary: "Read one link to the consumer portal",
  params,
  response: PortalLink,
  status: 200,
});

export const revokePortalLink = operation({
  ...common,
  id: "revokePortalLink",
  scope: "portal-links:write",
  method: "DELETE",
  path: "/portal-links/{id}",
  summary: "Revoke a link to the consumer portal",
  description: "Its token is refused from now on, and it stays in the list. A repeat is 204 too.",
  params,
  status: 204,
});

export const getPortal = operation({
  ...common,
  id: "getPortal",
  scope: "portal:read",
  method: "GET",
  path: "/portal",
  summary: "Read what one’s own link to the portal gives",
  description: "For the token of a link alone: API keys and staff do not hold its scope (403).",
  response: Portal,
  status: 200,
});
