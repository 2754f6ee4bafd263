import { toId } from "#contracts/ids.ts";
import type { ReplayCreator } from "#contracts/replays.ts";
import type { Conn } from "#db/client.ts";
import { findKeyRecord } from "#db/queries/keys.ts";
import { findPortalLink } from "#db/queries/portal-links.ts";
import type { Actor, Ctx } from "../context.ts";

/** Who is about to make a replay, as it is kept. */
export async function creatorOf(
  conn: Conn,
  { tenantId, actor }: Pick<Ctx, "tenantId" | "actor">,
): Promise<ReplayCreator> {
  if (actor.kind === "staff") return { kind: "staff", id: actor.email, name: null };
  if (actor.kind === "portal") {
    const link = await findPortalLink(conn, tenantId, actor.linkId);
    return { kind: "portal_link", id: toId("portalLink", actor.linkId), name: link?.name ?? null };
  }
  const key = await findKeyRecord(conn, tenantId, actor.keyId);
  return { kind: "api_key", id: toId("apiKey", actor.keyId), name: key?.name ?? null };
}

/** The same as `reader` may see it: who the staff are is no matter of a tenant's programs. */
export function shownCreator(creator: ReplayCreator | null, reader: Actor): ReplayCreator | null {
  return creator?.kind === "staff" && reader.kind !== "staff" ? { ...creator, id: null } : creator;
}
