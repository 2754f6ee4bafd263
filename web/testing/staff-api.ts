import { hashPassword } from "better-auth/crypto";
import { ROLES, type Role } from "#contracts/scopes.ts";
import { withTransaction } from "#db/client.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { twoFactorIdentity } from "#server/crypto/identities.ts";
import { totpCode, totpStep } from "#server/domain/totp.ts";
import { openTestApi, type TestApi } from "../test-support.ts";

/** What everybody signs in with here: that of the contract's examples. */
const PASSWORD = "correct horse battery staple";

/** A member of staff whose session has just begun. */
export const staffOf = (role: Role, userId: string = role) => ({
  userId,
  email: `${role}@example.com`,
  role,
  sessionId: `session-${userId}`,
  confirmedAt: new Date(),
});

/** Ids of those who are in the database. */
const idOf = (role: Role) => `01991f6e-4c2a-7000-8000-00000000000${ROLES.indexOf(role)}`;
const NAMED = "one";

/** What the cookie of a member of staff stands for: `role=<role>`, or `role=<role>.<name>` of another with that role. */
export function findTestStaff(cookie: string) {
  const [, given, name = NAMED] = /^role=(\w+)(?:\.(\w+))?$/.exec(cookie) ?? [];
  const role = ROLES.find((known) => known === given);
  return role ? staffOf(role, name === NAMED ? idOf(role) : `${role}-${name}`) : null;
}

let passwordHash: Promise<string> | undefined;

/** Opens the API with members of staff. Those without a name are in the database too. */
export async function openStaffApi(): Promise<TestApi> {
  const api = await openTestApi({ findStaff: async (cookie) => findTestStaff(cookie) });
  passwordHash ??= hashPassword(PASSWORD);
  const hash = await passwordHash;
  await withTransaction(api.services.db, async (tx) => {
    for (const role of ROLES) {
      const { userId: id, email } = staffOf(role, idOf(role));
      await insertStaff(tx, { id, accountId: `account-${id}`, email, name: role, role, passwordHash: hash });
    }
  });
  return api;
}

/** Gives everybody the first password again and no second factor, and holds no wrong ones against anybody. */
export async function restorePasswords({ services: { db } }: TestApi): Promise<void> {
  // In one order of rows, since several may do so at a time.
  await db.query(
    `with spoilt as (select id from staff_accounts where password is distinct from $1 order by id for update)
     update staff_accounts set password = $1 from spoilt where staff_accounts.id = spoilt.id`,
    [await passwordHash],
  );
  await db.query(
    `with spoilt as materialized (select key from staff_password_failures order by key for update)
     delete from staff_password_failures where key in (select key from spoilt)`,
  );
  await db.query("delete from staff_two_factors");
  await db.query("update staff_users set two_factor_enabled = false where two_factor_enabled");
}

const TOTP_SECRET = Buffer.from("12345678901234567890");

/** The code of now of an authenticator app that was given to somebody by `addTwoFactor`. */
export const testCode = (off = 0) => totpCode(TOTP_SECRET, totpStep(new Date()) + off);

/** Gives somebody an authenticator app: in use, or waiting for its first code. */
export async function addTwoFactor(
  { services: { db, keyring } }: TestApi,
  userId: string,
  verified: boolean,
): Promise<void> {
  const sealed = keyring.seal(TOTP_SECRET.toString("base64url"), twoFactorIdentity(userId));
  await db.query(
    `insert into staff_two_factors (id, user_id, secret, backup_codes, verified) values (gen_random_uuid(), $1, $2, '{}', $3)
     on conflict (user_id) do update set secret = $2, verified = $3, last_step = 0`,
    [userId, sealed, verified],
  );
  await db.query("update staff_users set two_factor_enabled = $2 where id = $1", [userId, verified]);
}
