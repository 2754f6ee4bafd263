import { InvalidArgumentError } from "commander";
import * as z from "zod";
import { fromId, type IdKind } from "#contracts/ids.ts";
import { API_KEY_SCOPES, ROLES, type Role, type Scope } from "#contracts/scopes.ts";
import { MAX_RATE, RetentionDays } from "#server/settings/settings.ts";

// What the words of a command line may be. Commander puts the message behind "… is invalid for argument 'name'.".

function parse<T>(schema: z.ZodType<T>, text: string, rule: string): T {
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(rule);
  return parsed.data;
}

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);

/** A name that people read. */
export const nameArgument = (text: string): string =>
  parse(Name, text, "It must be 1 to 100 visible characters.");

const Email = z.email().max(254).toLowerCase();

/** An e-mail address, in lower case. */
export const emailArgument = (text: string): string => parse(Email, text, "It must be an e-mail address.");

/** The plain id that a prefixed one stands for. */
const idArgument =
  (kind: IdKind, example: string) =>
  (text: string): string => {
    const id = fromId(kind, text);
    if (id === undefined) throw new InvalidArgumentError(`It must be an id such as ${example}.`);
    return id;
  };

export const tenantArgument = idArgument("tenant", "ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84");
export const keyArgument = idArgument("apiKey", "key_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84");

const Moment = z.iso.datetime({ offset: true });

/** A moment that is still to come (RFC 3339). */
export function futureArgument(text: string): Date {
  const at = new Date(parse(Moment, text, "It must be a time such as 2030-12-31T23:59:59Z."));
  if (at.getTime() <= Date.now()) throw new InvalidArgumentError("It must lie in the future.");
  return at;
}

const MAX_OVERLAP_SECONDS = 604_800;

/** For how many seconds two keys stay valid side by side. */
export function overlapArgument(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= MAX_OVERLAP_SECONDS))
    throw new InvalidArgumentError(`It must be whole seconds from 0 to ${MAX_OVERLAP_SECONDS}.`);
  return seconds;
}

/** A limit in units per second, or `default` for that of the settings. */
export function rateArgument(text: string): number | "default" {
  if (text === "default") return text;
  const rate = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(rate <= MAX_RATE))
    throw new InvalidArgumentError(`It must be a whole number from 0, no limit, to ${MAX_RATE}, or default.`);
  return rate;
}

/** Days of retention, or `default` for those of the settings. */
export function daysArgument(text: string): number | "default" {
  if (text === "default") return text;
  return parse(RetentionDays, text, "It must be a whole number of days from 1 to 3650, or default.");
}

const SCOPES: readonly string[] = API_KEY_SCOPES;

/** Scopes, comma-separated, in the order in which the contract lists them. */
export function scopesArgument(text: string): Scope[] {
  const wanted = text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const unknown = wanted.find((each) => !SCOPES.includes(each));
  if (wanted.length === 0 || unknown !== undefined)
    throw new InvalidArgumentError(`Scopes are ${API_KEY_SCOPES.join(", ")}.`);
  return API_KEY_SCOPES.filter((scope) => wanted.includes(scope));
}

export function roleArgument(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (!role) throw new InvalidArgumentError(`Roles are ${ROLES.join(", ")}.`);
  return role;
}
