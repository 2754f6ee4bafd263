import { hashPassword } from "better-auth/crypto";
import { changePassword, listOwnSessions, reauthenticate, revokeOwnSession } from "#contracts/account.ts";
import { fromId } from "#contracts/ids.ts";
import { deleteSession, hasSession, listSessionPage, type SessionRow } from "#db/queries/staff-sessions.ts";
import { appendAudit } from "#server/audit/append-audit.ts";
import { cutPage } from "#server/domain/page.ts";
import * as own from "#server/staff/own-password.ts";
import { toStaffSession } from "#server/staff/to-staff.ts";
import { listRoute } from "../list-route.ts";
import { route } from "../route.ts";
import { staffActor } from "../staff-actor.ts";

export const accountRoutes = [
  route(changePassword, {
    async handle(ctx, { body }) {
      const actor = staffActor(ctx);
      const given = { password: body.current_password, pointer: "#/current_password" };
      await own.requireOwnPassword(ctx, actor, given);
      const passwordHash = await hashPassword(body.new_password);
      await ctx.transaction((tx) =>
        own.changeOwnPassword(tx, (entry) => appendAudit(tx, ctx, entry), actor, {
          passwordHash,
          now: ctx.now(),
        }),
      );
      return {};
    },
  }),
  route(reauthenticate, {
    async handle(ctx, { body }) {
      const actor = staffActor(ctx);
      await own.requireOwnPassword(ctx, actor, { password: body.password, pointer: "#/password" });
      await own.requireOwnCode(ctx, actor, body.code);
      await ctx.transaction((tx) =>
        own.reauthenticate(tx, (entry) => appendAudit(tx, ctx, entry), actor, ctx.now()),
      );
      return {};
    },
  }),
  listRoute(listOwnSessions, {
    read: async (conn, ctx, _input, page) =>
      cutPage(await listSessionPage(conn, staffActor(ctx).userId, page), page),
    position: (row: SessionRow) => [row.createdPosition, row.id],
    show: (row, ctx) => toStaffSession(row, staffActor(ctx).sessionId),
  }),
  route(revokeOwnSession, {
    async find(ctx, params) {
      const sessionId = fromId("session", params.sessionId);
      return sessionId && (await hasSession(ctx.db, staffActor(ctx).userId, sessionId))
        ? { sessionId }
        : undefined;
    },
    async handle(ctx, { found }) {
      const { userId, email } = staffActor(ctx);
      await ctx.transaction(async (tx) => {
        if (!(await deleteSession(tx, userId, found.sessionId))) return;
        const after = { ended_sessions: 1 };
        await appendAudit(tx, ctx, { action: "staff.end_sessions", target: email, after });
      });
      return {};
    },
  }),
];
