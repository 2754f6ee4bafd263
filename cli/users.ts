import type { Command } from "commander";
import { ROLES, type Role } from "#contracts/scopes.ts";
import { deleteSessions, findStaffByEmail, listStaff } from "#db/queries/staff.ts";
import { INSTALLATION } from "#server/audit/append-audit.ts";
import { AppError } from "#server/errors.ts";
import { createStaff } from "#server/staff/create-staff.ts";
import { newPassword } from "#server/staff/password.ts";
import { resetPassword } from "#server/staff/reset-password.ts";
import { forgetFactors } from "#server/staff/second-factor.ts";
import { emailArgument, nameArgument, roleArgument } from "./arguments.ts";
import { change, withDatabase } from "./database.ts";
import { printList, printMade } from "./print.ts";

const SHOWN_ONCE = "The password is shown this once: only a hash of it is stored.";

/** `users list|create|reset-password|reset-two-factor`. */
export function addUsers(program: Command): void {
  const group = program.command("users").description("staff who sign in to the console");
  group
    .command("list")
    .description("list users by e-mail")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const users = (await withDatabase(listStaff)).map(({ email, name, role, disabled, createdAt }) => ({
        email,
        role,
        disabled,
        created_at: createdAt.toISOString(),
        name,
      }));
      printList(users, { json, none: "There are no users yet." });
    });
  group
    .command("create")
    .description("make a user; prints the password, this once")
    .argument("<email>", "what to sign in with", emailArgument)
    .requiredOption("--role <role>", `what the user may do: ${ROLES.join(", ")}`, roleArgument)
    .option("--name <name>", "what people call the user; default: the e-mail", nameArgument)
    .action(create);
  group
    .command("reset-password")
    .description("give a user another password, end all sessions; prints the password, this once")
    .argument("<email>", "whose", emailArgument)
    .action(reset);
  group
    .command("reset-two-factor")
    .description("forget a user's authenticator app, backup codes and passkeys, end all sessions")
    .argument("<email>", "whose", emailArgument)
    .action(resetTwoFactor);
}

async function create(email: string, options: { role: Role; name?: string }): Promise<void> {
  const { role, name = email } = options;
  const { password, passwordHash } = await newPassword();
  await change(async (tx, note) => {
    await createStaff(tx, { email, name, role, passwordHash });
    await note(INSTALLATION, { action: "staff.create", target: email, after: { name, role } });
  });
  printMade(password, `Made the user ${email}. ${SHOWN_ONCE}`);
}

async function reset(email: string): Promise<void> {
  const { password, passwordHash } = await newPassword();
  const { endedSessions } = await change(async (tx, note, now) => {
    const done = await resetPassword(tx, { email, passwordHash, now });
    const after = { ended_sessions: done.endedSessions };
    await note(INSTALLATION, { action: "staff.reset_password", target: email, after });
    return done;
  });
  printMade(password, `Reset the password of ${email} and ended ${endedSessions} sessions. ${SHOWN_ONCE}`);
}

async function resetTwoFactor(email: string): Promise<void> {
  const { had, endedSessions } = await change(async (tx, note) => {
    const user = await findStaffByEmail(tx, email);
    if (!user) throw new AppError("not-found", `There is no user ${email}.`);
    const { twoFactor, passkeys } = await forgetFactors(tx, user.id);
    const ended = { had: twoFactor || passkeys > 0, endedSessions: await deleteSessions(tx, user.id) };
    await note(INSTALLATION, {
      action: "staff.reset_second_factors",
      target: email,
      before: { two_factor: twoFactor, passkeys },
      after: { two_factor: false, passkeys: 0, ended_sessions: ended.endedSessions },
    });
    return ended;
  });
  const what = had ? "The password alone lets in now" : "There was neither app nor passkey";
  console.error(`${what}; ended ${endedSessions} sessions of ${email}.`);
}
