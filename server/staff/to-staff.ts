import { toId } from "#contracts/ids.ts";
import type { StaffMember, StaffSession } from "#contracts/staff.ts";
import type { StaffRow } from "#db/queries/manage-staff.ts";
import type { SessionRow } from "#db/queries/staff-sessions.ts";

/** A member of staff as answers show them. */
export function toStaffMember(row: StaffRow): StaffMember {
  return {
    id: toId("staff", row.id),
    email: row.email,
    name: row.name,
    role: row.role,
    state: row.disabled ? "disabled" : row.hasPassword ? "active" : "invited",
    sessions: row.sessions,
    two_factor: row.twoFactor,
    passkeys: row.passkeys,
    link_expires_at: row.linkExpiresAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** A session as answers show it; `ownId` is the one that asks. */
export function toStaffSession(row: SessionRow, ownId: string): StaffSession {
  return {
    id: toId("session", row.id),
    current: row.id === ownId,
    address: row.address,
    user_agent: row.userAgent,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}
