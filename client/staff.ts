import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Role } from "#contracts/scopes.ts";
import {
  disableStaff,
  enableStaff,
  getStaff,
  inviteStaff,
  listStaff,
  listStaffSessions,
  patchStaff,
  resetSecondFactors,
  resetStaff,
  revokeStaffSession,
  revokeStaffSessions,
} from "#contracts/staff.ts";
import { call } from "./api.ts";

const STAFF = ["staff"] as const;
/** Everything that is read of the staff. */
export const staffKey = STAFF;

export const staffListQuery = infiniteQueryOptions({
  queryKey: [...STAFF, "list"],
  queryFn: ({ pageParam, signal }) => call(listStaff, { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
});

export const staffMemberQuery = (id: string) =>
  queryOptions({
    queryKey: [...STAFF, "one", id],
    queryFn: ({ signal }) => call(getStaff, { params: { id }, signal }),
  });

export const staffSessionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...STAFF, "sessions", id],
    queryFn: ({ pageParam, signal }) =>
      call(listStaffSessions, { params: { id }, query: { after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
  });

/** Invites somebody; the answer has the link, this once. `idempotencyKey` is made once for each wish of a person. */
export const invite = (body: { email: string; name: string; role: Role }, idempotencyKey: string) =>
  call(inviteStaff, { body, idempotencyKey });

export const changeMember = (id: string, body: { name?: string; role?: Role }) =>
  call(patchStaff, { params: { id }, body });
export const disableMember = (id: string) => call(disableStaff, { params: { id } });
export const enableMember = (id: string) => call(enableStaff, { params: { id } });
export const resetMember = (id: string) => call(resetStaff, { params: { id } });
export const resetMemberFactors = (id: string) => call(resetSecondFactors, { params: { id } });
export const endSessions = (id: string) => call(revokeStaffSessions, { params: { id } });
export const endSession = (id: string, sessionId: string) =>
  call(revokeStaffSession, { params: { id, sessionId } });
