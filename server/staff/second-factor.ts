import { createHash, randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Conn, Tx } from "#db/client.ts";
import * as stored from "#db/queries/second-factors.ts";
import { twoFactorIdentity } from "../crypto/identities.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { base32, matchingStep, otpauthUri } from "../domain/totp.ts";
import { AppError, validationError } from "../errors.ts";
import { readablePassword } from "./password.ts";

const ISSUER = "Posthorn";
/** As long as the hash (RFC 4226 §4, R6). */
const SECRET_BYTES = 20;
const BACKUP_CODES = 10;

/** What was given beside a password, and how many backup codes are left of those. */
export type TakenCode = { kind: "app" } | { kind: "backup"; left: number };

/** What is stored of a backup code: it is as hard to guess as a password of 79 bits, so that a plain digest hides it. */
const digestOf = (userId: string, code: string) =>
  createHash("sha256")
    .update(JSON.stringify([userId, code]))
    .digest("base64url");

function newBackupCodes(userId: string) {
  const codes = Array.from({ length: BACKUP_CODES }, readablePassword);
  return { codes, digests: codes.map((code) => digestOf(userId, code)) };
}

/**
 * Takes a code of the authenticator app or a backup code, as people type them; `undefined` when it is wrong. Each counts
 * once: nor does one of the app count after a later one (RFC 6238 §5.2).
 */
export async function takeCode(
  tx: Tx,
  keyring: Keyring,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<TakenCode | undefined> {
  const typed = code.replaceAll(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(typed)) {
    const row = await stored.findTwoFactor(tx, userId);
    if (!row?.verified) return undefined;
    const step = matchingStep(opened(keyring, userId, row.secret), typed, now);
    const taken = step !== undefined && (await stored.takeStep(tx, userId, step));
    return taken ? { kind: "app" } : undefined;
  }
  const grouped = typed.match(/.{1,4}/g)?.join("-") ?? "";
  const left = await stored.takeBackupCode(tx, userId, digestOf(userId, grouped));
  return left === undefined ? undefined : { kind: "backup", left };
}

/** Whether a password alone does not let somebody in. */
export async function hasTwoFactor(conn: Conn, userId: string): Promise<boolean> {
  return (await stored.findTwoFactor(conn, userId))?.verified === true;
}

const opened = (keyring: Keyring, userId: string, sealed: string) =>
  Buffer.from(keyring.open(sealed, twoFactorIdentity(userId)), "base64url");

interface Owner {
  userId: string;
  email: string;
}

/** Begins the set-up of an authenticator app: gives what it takes over. 409 when one is in use. */
export async function beginSetUp(
  tx: Tx,
  keyring: Keyring,
  { userId, email }: Owner,
  now: Date,
): Promise<{ secret: string; otpauth_uri: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const sealed = keyring.seal(secret.toString("base64url"), twoFactorIdentity(userId));
  if (!(await stored.beginTwoFactor(tx, { id: uuidv7(), userId, sealed, now })))
    throw conflict("Two-factor is on already. Turn it off first.", "on");
  return { secret: base32(secret), otpauth_uri: otpauthUri(secret, { issuer: ISSUER, account: email }) };
}

/** Ends the set-up with a first code; gives the backup codes. 422 for a wrong code, 409 when no set-up was begun. */
export async function finishSetUp(
  tx: Tx,
  keyring: Keyring,
  { userId }: Owner,
  { code, now }: { code: string; now: Date },
): Promise<string[]> {
  const row = await stored.findTwoFactor(tx, userId);
  if (row?.verified) throw conflict("Two-factor is on already.", "on");
  if (!row) throw conflict("Begin the set-up first.", "off");
  const step = matchingStep(opened(keyring, userId, row.secret), code, now);
  if (step === undefined)
    throw validationError([
      { detail: "This is not the code of now. Check the clock of the device.", pointer: "#/code" },
    ]);
  const { codes, digests } = newBackupCodes(userId);
  const change = { userId, sealed: row.secret, step, backupCodes: digests, now };
  if (!(await stored.enableTwoFactor(tx, change))) throw conflict("Begin the set-up first.", "off");
  await stored.deletePendingSignIns(tx, userId);
  return codes;
}

/** Gives new backup codes in place of all before. 409 when two-factor is off. */
export async function renewBackupCodes(tx: Tx, userId: string): Promise<string[]> {
  const { codes, digests } = newBackupCodes(userId);
  if (!(await stored.replaceBackupCodes(tx, userId, digests)))
    throw conflict("Two-factor is off, so there are no backup codes.", "off");
  return codes;
}

/** Takes app, backup codes and passkeys from somebody; gives whether there was anything. */
export async function forgetFactors(
  tx: Tx,
  userId: string,
): Promise<{ twoFactor: boolean; passkeys: number }> {
  const twoFactor = await stored.deleteTwoFactor(tx, userId);
  const passkeys = await stored.deletePasskeys(tx, userId);
  await stored.deletePendingSignIns(tx, userId);
  return { twoFactor, passkeys };
}

const conflict = (detail: string, state: "on" | "off") =>
  new AppError("state-conflict", detail, { members: { state } });
