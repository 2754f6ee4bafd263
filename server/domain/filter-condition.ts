import { isStorableJson } from "#contracts/text.ts";

/** What must be true of one of the values at `path`, or, negated, of none of them. */
export interface Condition {
  path: readonly string[];
  test: (value: unknown) => boolean;
  isNegated: boolean;
}

type Scalar = string | number | boolean | null;

/** A condition without its path, or what is wrong with its operand; `at` is the item of a list that is meant. */
type Made = { ok: true; condition: Omit<Condition, "path"> } | { ok: false; detail: string; at?: number };

const refused = (detail: string, at?: number): Made => ({
  ok: false,
  detail,
  ...(at === undefined ? {} : { at }),
});

const made = (test: Condition["test"], isNegated = false): Made => ({
  ok: true,
  condition: { test, isNegated },
});

const ONE_OF_SCALARS = "must be a string, a number, a boolean or null";

function equals(operand: unknown, isNegated: boolean): Made {
  return isScalar(operand) ? made((value) => value === operand, isNegated) : refused(ONE_OF_SCALARS);
}

function isIn(operand: unknown, isNegated: boolean): Made {
  if (!Array.isArray(operand) || operand.length === 0) return refused("must be a list of at least one value");
  const bad = operand.findIndex((item) => !isScalar(item));
  if (bad >= 0) return refused(ONE_OF_SCALARS, bad);
  const values = new Set<unknown>(operand);
  return made((value) => values.has(value), isNegated);
}

/** Numbers are in order among themselves, and strings are. */
function ordered(operand: unknown, isRight: (order: number) => boolean): Made {
  if (typeof operand === "number" && isScalar(operand))
    return made((value) => typeof value === "number" && isRight(value - operand));
  if (typeof operand === "string" && isScalar(operand))
    return made(
      (value) => typeof value === "string" && isRight(value < operand ? -1 : value > operand ? 1 : 0),
    );
  return refused("must be a number or a string");
}

function affix(operand: unknown, isRight: (value: string, affix: string) => boolean): Made {
  if (typeof operand !== "string" || !isScalar(operand)) return refused("must be a string");
  return made((value) => typeof value === "string" && isRight(value, operand));
}

function exists(operand: unknown): Made {
  return typeof operand === "boolean" ? made(() => true, !operand) : refused("must be true or false");
}

const OPERATORS = {
  $eq: (operand) => equals(operand, false),
  $ne: (operand) => equals(operand, true),
  $in: (operand) => isIn(operand, false),
  $nin: (operand) => isIn(operand, true),
  $gt: (operand) => ordered(operand, (order) => order > 0),
  $gte: (operand) => ordered(operand, (order) => order >= 0),
  $lt: (operand) => ordered(operand, (order) => order < 0),
  $lte: (operand) => ordered(operand, (order) => order <= 0),
  $exists: exists,
  $startsWith: (operand) => affix(operand, (value, start) => value.startsWith(start)),
  $endsWith: (operand) => affix(operand, (value, end) => value.endsWith(end)),
} satisfies Record<string, (operand: unknown) => Made>;

export const isOperator = (name: string): name is keyof typeof OPERATORS => Object.hasOwn(OPERATORS, name);

/** The condition that an operator makes of its operand. */
export function condition(operator: keyof typeof OPERATORS, operand: unknown): Made {
  return OPERATORS[operator](operand);
}

/** Whether a value can be compared with, and kept: 1e400 is beyond any number of JavaScript's, NUL beyond PostgreSQL. */
function isScalar(value: unknown): value is Scalar {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "boolean" || (typeof value === "string" && isStorableJson(value));
}
