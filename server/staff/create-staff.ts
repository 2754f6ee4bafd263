import { uuidv7 } from "uuidv7";
import type { Role } from "#contracts/scopes.ts";
import type { Tx } from "#db/client.ts";
import { sqlState } from "#db/database-errors.ts";
import { insertStaff } from "#db/queries/staff.ts";
import { AppError } from "../errors.ts";

export interface NewStaff {
  /** In lower case. */
  email: string;
  name: string;
  role: Role;
  /** `null`: a sign-in link comes first. */
  passwordHash: string | null;
}

const UNIQUE_VIOLATION = "23505";

/** Makes a member of staff who can sign in. Throws `state-conflict` when the e-mail is taken; `tx` is of no use then. */
export async function createStaff(tx: Tx, staff: NewStaff): Promise<{ id: string }> {
  const id = uuidv7();
  try {
    await insertStaff(tx, { id, accountId: uuidv7(), ...staff });
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw new AppError("state-conflict", `There is a user ${staff.email} already.`, { cause: error });
  }
  return { id };
}
