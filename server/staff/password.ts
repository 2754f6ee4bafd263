import { randomInt } from "node:crypto";
import { hashPassword } from "better-auth/crypto";

// No letters and digits that look alike in a terminal.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Four groups of four characters: 79 bits that a person can read out and type. */
export function readablePassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** A password to be shown once, and what is stored of it: the hash that sign-in checks by default. */
export async function newPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = readablePassword();
  return { password, passwordHash: await hashPassword(password) };
}
