import { infiniteQueryOptions } from "@tanstack/react-query";
import {
  createPortalLink,
  listPortalLinks,
  MAX_LOGO_BYTES,
  type NewLink,
  type NewlyMadeLink,
  type PortalAccess,
  revokePortalLink,
} from "#contracts/portal-links.ts";
import { call } from "./api.ts";
import { type FieldErrors, issuesOf } from "./endpoint-form.ts";

/** The links of a tenant, newest first, those that have ended too. */
export const portalLinksQuery = (tenantId: string) =>
  infiniteQueryOptions({
    queryKey: ["portal-links", "list", tenantId],
    queryFn: ({ pageParam, signal }) =>
      call(listPortalLinks, { tenantId, query: { after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
  });

/** How long a link works: what is offered, in seconds. */
export const LIFETIMES = [
  { value: "86400", label: "for 24 hours" },
  { value: "3600", label: "for an hour" },
  { value: "604800", label: "for 7 days" },
  { value: "2592000", label: "for 30 days" },
] as const;

/** A link as the form holds it. */
export interface LinkForm {
  name: string;
  /** One of `LIFETIMES`. */
  lifetime: string;
  access: PortalAccess[];
  themeName: string;
  accent: string;
  /** A `data:` URL, or nothing. */
  logo: string;
  /** Origins, one a line. */
  ancestors: string;
}

export const EMPTY_LINK: LinkForm = {
  name: "",
  lifetime: LIFETIMES[0].value,
  access: ["endpoints", "secrets", "replay"],
  themeName: "",
  accent: "",
  logo: "",
  ancestors: "",
};

/** What the API is to be sent, or what is wrong with which field. */
export function newLinkOf(form: LinkForm): { value: NewLink } | { errors: FieldErrors } {
  const ancestors = originsOf(form.ancestors);
  const read = createPortalLink.body.safeParse({
    name: form.name.trim(),
    expires_in_seconds: Number(form.lifetime),
    access: form.access,
    theme: {
      name: form.themeName.trim() || null,
      accent_color: form.accent.trim() || null,
      logo_url: form.logo || null,
    },
    frame_ancestors: ancestors,
  });
  if (read.success) return { value: read.data };
  // By what was typed, not by its number.
  const named = read.error.issues.map(({ path, message }) => ({
    path: path.map((part, at) =>
      at === 1 && path[0] === "frame_ancestors" ? ancestors[Number(part)] : part,
    ),
    message,
  })) as { path: PropertyKey[]; message: string }[];
  const errors = issuesOf(named);
  return { errors: form.name.trim() === "" ? { ...errors, name: "Say who it is for." } : errors };
}

/** The origins of a text; a URL that was pasted whole counts for its origin. */
function originsOf(text: string): string[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  return [...new Set(parts.map((part) => part.toLowerCase().replace(/\/$/, "")))];
}

const LOGO_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);

/** Why a file cannot be the logo; `null` when it can. */
export function logoFault({ type, size }: { type: string; size: number }): string | null {
  if (!LOGO_TYPES.has(type)) return "Choose a PNG, JPEG or WebP image.";
  if (size > MAX_LOGO_BYTES) return `Choose an image of at most ${MAX_LOGO_BYTES / 1024} KiB.`;
  return null;
}

export const makeLink = (tenantId: string, body: NewLink, idempotencyKey: string): Promise<NewlyMadeLink> =>
  call(createPortalLink, { tenantId, body, idempotencyKey });

export const endLink = (tenantId: string, id: string) => call(revokePortalLink, { tenantId, params: { id } });

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** HTML that shows a portal in a page of one of its allowed origins. */
export function embedSnippet(url: string, title: string): string {
  const text = (value: string) => value.replaceAll(/[&<>"]/g, (each) => ESCAPES[each] ?? each);
  return [
    `<iframe src="${text(url)}"`,
    `  title="${text(title)}" allow="clipboard-write"`,
    '  style="width: 100%; height: 800px; border: 0"></iframe>',
  ].join("\n");
}
