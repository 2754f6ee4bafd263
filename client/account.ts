import { infiniteQueryOptions } from "@tanstack/react-query";
import { changePassword, listOwnSessions, reauthenticate, revokeOwnSession } from "#contracts/account.ts";
import { call } from "./api.ts";

export const ownSessionsQuery = infiniteQueryOptions({
  queryKey: ["account", "sessions"],
  queryFn: ({ pageParam, signal }) => call(listOwnSessions, { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
});

export const endOwnSession = (sessionId: string) => call(revokeOwnSession, { params: { sessionId } });

/** Gives one's password anew, and a code where two-factor is on, for what asks for that. */
export const giveOwnPassword = (password: string, code: string | undefined) =>
  call(reauthenticate, { body: code === undefined ? { password } : { password, code } });

/** All other sessions end. */
export const changeOwnPassword = (current: string, wanted: string) =>
  call(changePassword, { body: { current_password: current, new_password: wanted } });
