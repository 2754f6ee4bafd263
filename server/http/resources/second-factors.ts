import { fromId, toId } from "#contracts/ids.ts";
import {
  confirmTwoFactor,
  getSecondFactors,
  type Passkey,
  patchPasskey,
  removePasskey,
  renewBackupCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
} from "#contracts/second-factors.ts";
import type { Tx } from "#db/client.ts";
import * as stored from "#db/queries/second-factors.ts";
import { type AuditEntry, appendAudit } from "#server/audit/append-audit.ts";
import type { Ctx } from "#server/context.ts";
import * as factors from "#server/staff/second-factor.ts";
import { route } from "../route.ts";
import { staffActor } from "../staff-actor.ts";

const shownPasskey = (row: stored.PasskeyRow): Passkey => ({
  id: toId("passkey", row.id),
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

const findOwn = async (ctx: Ctx, params: { passkeyId: string }) => {
  const id = fromId("passkey", params.passkeyId);
  return id === undefined ? undefined : stored.findPasskey(ctx.db, staffActor(ctx).userId, id);
};

const note = (tx: Tx, ctx: Ctx, entry: Omit<AuditEntry, "target">) =>
  appendAudit(tx, ctx, { ...entry, target: staffActor(ctx).email });

export const secondFactorRoutes = [
  route(getSecondFactors, {
    async handle(ctx) {
      const { userId } = staffActor(ctx);
      const app = await stored.findTwoFactor(ctx.db, userId);
      const isOn = app?.verified === true;
      return {
        body: {
          two_factor: isOn,
          two_factor_since: isOn ? app.createdAt.toISOString() : null,
          backup_codes_left: isOn ? app.codesLeft : 0,
          passkeys: (await stored.listPasskeys(ctx.db, userId)).map(shownPasskey),
        },
      };
    },
  }),
  route(setUpTwoFactor, {
    handle: (ctx) =>
      ctx.transaction(async (tx) => {
        const body = await factors.beginSetUp(tx, ctx.keyring, staffActor(ctx), ctx.now());
        await note(tx, ctx, { action: "staff.set_up_two_factor" });
        return { body };
      }),
  }),
  route(confirmTwoFactor, {
    handle: (ctx, { body: { code } }) =>
      ctx.transaction(async (tx) => {
        const given = { code, now: ctx.now() };
        const codes = await factors.finishSetUp(tx, ctx.keyring, staffActor(ctx), given);
        await note(tx, ctx, { action: "staff.turn_on_two_factor" });
        return { body: { backup_codes: codes } };
      }),
  }),
  route(turnOffTwoFactor, {
    async handle(ctx) {
      await ctx.transaction(async (tx) => {
        if (await stored.deleteTwoFactor(tx, staffActor(ctx).userId))
          await note(tx, ctx, { action: "staff.turn_off_two_factor" });
      });
      return {};
    },
  }),
  route(renewBackupCodes, {
    handle: (ctx) =>
      ctx.transaction(async (tx) => {
        const codes = await factors.renewBackupCodes(tx, staffActor(ctx).userId);
        await note(tx, ctx, { action: "staff.renew_backup_codes" });
        return { body: { backup_codes: codes } };
      }),
  }),
  route(patchPasskey, {
    find: findOwn,
    async handle(ctx, { found, body: { name } }) {
      await ctx.transaction(async (tx) => {
        await stored.renamePasskey(tx, found.id, name);
        const [before, after] = [{ name: found.name }, { name }];
        await note(tx, ctx, { action: "staff.rename_passkey", before, after });
      });
      return { body: shownPasskey({ ...found, name }) };
    },
  }),
  route(removePasskey, {
    find: findOwn,
    async handle(ctx, { found: { id, name } }) {
      await ctx.transaction(async (tx) => {
        if (await stored.deletePasskey(tx, staffActor(ctx).userId, id))
          await note(tx, ctx, { action: "staff.remove_passkey", before: { name } });
      });
      return {};
    },
  }),
];
