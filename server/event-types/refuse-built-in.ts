import { isOperational } from "#contracts/operational-events.ts";
import { AppError } from "../errors.ts";
import { builtInTypes } from "./built-in-types.ts";

/** 409 for the name of a type that Posthorn itself emits, or keeps for itself. */
export function refuseBuiltIn(name: string): void {
  if (isOperational(name) || builtInTypes.some((type) => type.name === name))
    throw new AppError("state-conflict", `${name} is built in, and can be neither redefined nor deleted.`);
}
