import { fromId } from "#contracts/ids.ts";
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
import type { Tx } from "#db/client.ts";
import { findStaffRow, listStaffPage, type StaffRow } from "#db/queries/manage-staff.ts";
import { deleteSessions } from "#db/queries/staff.ts";
import { deleteSession, hasSession, listSessionPage, type SessionRow } from "#db/queries/staff-sessions.ts";
import { appendAudit } from "#server/audit/append-audit.ts";
import type { Ctx } from "#server/context.ts";
import { cutPage } from "#server/domain/page.ts";
import * as staff from "#server/staff/manage-staff.ts";
import { toStaffMember, toStaffSession } from "#server/staff/to-staff.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";
import { staffActor } from "../staff-actor.ts";

const find = async (ctx: Ctx, params: { id: string }) => {
  const id = fromId("staff", params.id);
  return id === undefined ? undefined : findStaffRow(ctx.db, id);
};

const changeBy = (tx: Tx, ctx: Ctx): staff.StaffChange => ({
  actorId: staffActor(ctx).userId,
  origin: ctx.origin,
  now: ctx.now(),
  note: (entry) => appendAudit(tx, ctx, entry),
});

/** Makes one change of the staff in a transaction of its own. */
const changing = <T>(ctx: Ctx, work: (tx: Tx, change: staff.StaffChange) => Promise<T>): Promise<T> =>
  ctx.transaction((tx) => work(tx, changeBy(tx, ctx)));

const shown = (row: StaffRow) => ({ body: toStaffMember(row) });

const invited = ({ row, link }: { row: StaffRow; link: string }) => {
  const member = toStaffMember(row);
  return { body: { ...member, sign_in_link: link }, location: `/staff/${member.id}` };
};

export const staffRoutes = [
  listRoute(listStaff, {
    read: async (conn, _ctx, _input, page) => cutPage(await listStaffPage(conn, page), page),
    position: (row: StaffRow) => [row.createdPosition, row.id],
    show: toStaffMember,
  }),
  route(inviteStaff, {
    handle: async (ctx, { body }) =>
      invited(await changing(ctx, (tx, change) => staff.inviteStaff(tx, change, body))),
  }),
  route(getStaff, { find, handle: async (_ctx, { found }) => shown(found) }),
  route(patchStaff, {
    find,
    handle: async (ctx, { found: { id }, body }) =>
      shown(await changing(ctx, (tx, change) => staff.changeStaff(tx, change, { id, ...body }))),
  }),
  route(disableStaff, {
    find,
    handle: async (ctx, { found }) =>
      shown(await changing(ctx, (tx, change) => staff.disableStaff(tx, change, found.id))),
  }),
  route(enableStaff, {
    find,
    handle: async (ctx, { found }) =>
      shown(await changing(ctx, (tx, change) => staff.enableStaff(tx, change, found.id))),
  }),
  route(resetStaff, {
    find,
    handle: async (ctx, { found }) =>
      invited(await changing(ctx, (tx, change) => staff.resetStaff(tx, change, found.id))),
  }),
  route(resetSecondFactors, {
    find,
    handle: async (ctx, { found }) =>
      shown(await changing(ctx, (tx, change) => staff.resetFactors(tx, change, found.id))),
  }),
  listRoute(listStaffSessions, {
    find,
    read: async (conn, _ctx, { found }, page) => cutPage(await listSessionPage(conn, found.id, page), page),
    position: (row: SessionRow) => [row.createdPosition, row.id],
    show: (row, ctx) => toStaffSession(row, staffActor(ctx).sessionId),
  }),
  route(revokeStaffSessions, {
    find,
    async handle(ctx, { found }) {
      await changing(ctx, async (tx, { note }) => {
        const after = { ended_sessions: await deleteSessions(tx, found.id) };
        await note({ action: "staff.end_sessions", target: found.email, after });
      });
      return {};
    },
  }),
  route(revokeStaffSession, {
    async find(ctx, params) {
      const member = await find(ctx, params);
      const sessionId = fromId("session", params.sessionId);
      return member && sessionId && (await hasSession(ctx.db, member.id, sessionId))
        ? { member, sessionId }
        : undefined;
    },
    async handle(ctx, { found: { member, sessionId } }) {
      await changing(ctx, async (tx, { note }) => {
        if (!(await deleteSession(tx, member.id, sessionId))) return;
        await note({ action: "staff.end_sessions", target: member.email, after: { ended_sessions: 1 } });
      });
      return {};
    },
  }),
];
