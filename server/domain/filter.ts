import { isStorableJson } from "#contracts/text.ts";
import { type Condition, condition, isOperator } from "./filter-condition.ts";
import { pointer } from "./json-pointer.ts";

/*
 * The content filter of an endpoint: which events it gets, by what is in their `data`.
 *
 *   { "status": "paid", "total": { "$gte": 100, "$lt": 1000 }, "$or": [{ "vip": true }, { "items.sku": "A-1" }] }
 *
 * - All members of an object must hold, and all operators of one path; `{}` holds always.
 * - A path names members, joined by full stops. Where it meets an array, a number is an index, and any other name is
 *   looked for in every element. An array at the end of a path stands for itself and for each of its elements. One
 *   element that holds is enough, for each operator by itself. (A member whose name has a full stop cannot be named.)
 * - Values to compare with are strings, numbers, booleans and null; a plain one means `$eq`. Different types are never
 *   equal and never in order: `"1"` is not 1, null is not absent. Numbers compare as IEEE 754 doubles, strings by UTF-16.
 * - What is absent is equal to nothing: only `$ne`, `$nin`, `{ "$exists": false }` and `$not` hold for it. `$ne` and
 *   `$nin` are the opposites of `$eq` and `$in`: no element may be equal.
 * - A filter that would have to look at more than 10,000 elements of the arrays of one event is not decided, and holds:
 *   an event too many does less harm than one that never comes.
 */

/** A filter that was found good, ready to be asked. */
export type Filter =
  | { kind: "all" | "any"; of: readonly Filter[] }
  | { kind: "not"; of: Filter }
  | ({ kind: "condition" } & Condition);

/** A defect, with its RFC 6901 pointer from `#/filter` on. */
interface FilterIssue {
  detail: string;
  pointer: string;
}

const MAX_CONDITIONS = 64;
const MAX_DEPTH = 8;
/** Of paths and values together: what every publishing reads must stay small. */
const MAX_CHARACTERS = 16_384;
const MAX_ELEMENTS = 10_000;

/** Reads a filter as it came in a request: any JSON value. Never throws. */
export function parseFilter(
  value: unknown,
): { ok: true; filter: Filter } | { ok: false; issues: FilterIssue[] } {
  const reader = new FilterReader();
  const filter = reader.readObject(value, ["filter"], 1);
  return reader.issues.length === 0 ? { ok: true, filter } : { ok: false, issues: reader.issues };
}

/** Whether the filter holds for an event's `data`, a JSON value. Never throws; its time is bounded by the filter's size. */
export function matches(filter: Filter, data: unknown): boolean {
  const budget = { elements: MAX_ELEMENTS };
  const holds = isHeld(filter, data, budget);
  return budget.elements < 0 || holds;
}

function isHeld(filter: Filter, data: unknown, budget: { elements: number }): boolean {
  switch (filter.kind) {
    case "all":
      return filter.of.every((part) => isHeld(part, data, budget));
    case "any":
      return filter.of.some((part) => isHeld(part, data, budget));
    case "not":
      return !isHeld(filter.of, data, budget);
    case "condition":
      return anyValue(data, filter.path, 0, filter.test, budget) !== filter.isNegated;
  }
}

type Test = (value: unknown) => boolean;

/** Whether one of the values at `path`, from its name number `at` on, passes the test. */
function anyValue(
  value: unknown,
  path: readonly string[],
  at: number,
  test: Test,
  budget: { elements: number },
): boolean {
  const name = path[at];
  if (name === undefined) return test(value) || (Array.isArray(value) && anyElement(value, test, budget));
  if (Array.isArray(value)) {
    if (isIndex(name))
      return Number(name) < value.length && anyValue(value[Number(name)], path, at + 1, test, budget);
    return anyElement(
      value,
      (element) => !Array.isArray(element) && anyValue(element, path, at, test, budget),
      budget,
    );
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  return anyValue((value as Record<string, unknown>)[name], path, at + 1, test, budget);
}

function anyElement(elements: readonly unknown[], test: Test, budget: { elements: number }): boolean {
  for (const element of elements) {
    if (--budget.elements < 0) return false;
    if (test(element)) return true;
  }
  return false;
}

const isIndex = (name: string) => /^(0|[1-9]\d{0,8})$/.test(name);

class FilterReader {
  readonly issues: FilterIssue[] = [];
  #conditions = 0;
  #characters = 0;

  readObject(value: unknown, at: readonly PropertyKey[], depth: number): Filter {
    const of: Filter[] = [];
    if (depth > MAX_DEPTH) this.#refuse(at, `must not be nested deeper than ${MAX_DEPTH} levels`);
    else if (!isObject(value)) this.#refuse(at, "must be an object");
    else if (depth > 1 && Object.keys(value).length === 0) this.#refuse(at, "must hold a condition");
    else
      for (const [name, part] of Object.entries(value)) {
        // What is beyond a limit is not looked at: one issue says so.
        if (this.#isTooLarge(at)) break;
        const read = this.#readMember(name, part, [...at, name], depth);
        if (read) of.push(read);
      }
    return { kind: "all", of };
  }

  #readMember(name: string, value: unknown, at: PropertyKey[], depth: number): Filter | undefined {
    if (name === "$not") return { kind: "not", of: this.readObject(value, at, depth + 1) };
    if (name === "$and") return { kind: "all", of: this.#readList(value, at, depth) };
    if (name === "$or") return { kind: "any", of: this.#readList(value, at, depth) };
    const path = this.#readPath(name, at);
    if (!path) return undefined;
    if (!isObject(value)) return this.#readCondition(path, "$eq", value, at);
    const operators = Object.entries(value);
    if (operators.length === 0) this.#refuse(at, "must hold an operator");
    const of = operators.flatMap(
      ([operator, operand]) => this.#readCondition(path, operator, operand, [...at, operator]) ?? [],
    );
    return { kind: "all", of };
  }

  #readList(value: unknown, at: PropertyKey[], depth: number): Filter[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.#refuse(at, "must be a list of at least one filter");
      return [];
    }
    const filters: Filter[] = [];
    for (const [index, part] of value.entries()) {
      this.#characters++;
      if (this.#isTooLarge(at)) break;
      filters.push(this.readObject(part, [...at, index], depth + 1));
    }
    return filters;
  }

  #readPath(name: string, at: PropertyKey[]): string[] | undefined {
    this.#characters += name.length;
    const names = name.split(".");
    if (name.startsWith("$")) this.#refuse(at, "is no operator; here $and, $or and $not are");
    else if (!isStorableJson(name)) this.#refuse(at, "must not hold NUL or half of a surrogate pair");
    else if (names.length > 32 || names.includes(""))
      this.#refuse(at, "must be a path of 1 to 32 names joined by full stops");
    else return names;
    return undefined;
  }

  #readCondition(path: string[], operator: string, operand: unknown, at: PropertyKey[]): Filter | undefined {
    this.#conditions++;
    if (this.#isTooLarge(["filter"])) return undefined;
    if (!isOperator(operator)) {
      this.#refuse(
        at,
        operator.startsWith("$")
          ? "is no operator"
          : "must be an operator; a member of a member is named by a path with a full stop",
      );
      return undefined;
    }
    const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    for (const value of values) this.#characters += 1 + (typeof value === "string" ? value.length : 0);
    if (this.#isTooLarge(["filter"])) return undefined;
    const made = condition(operator, operand);
    if (made.ok) return { kind: "condition", path, ...made.condition };
    this.#refuse(made.at === undefined ? at : [...at, made.at], made.detail);
    return undefined;
  }

  #isTooLarge(at: readonly PropertyKey[]): boolean {
    // Whoever has made that many mistakes is told of these first.
    if (this.issues.length > MAX_CONDITIONS) return true;
    if (this.#conditions <= MAX_CONDITIONS && this.#characters <= MAX_CHARACTERS) return false;
    const detail =
      this.#conditions > MAX_CONDITIONS
        ? `must have at most ${MAX_CONDITIONS} conditions`
        : `must be at most ${MAX_CHARACTERS} characters long, paths and values together`;
    if (!this.issues.some((issue) => issue.detail === detail)) this.#refuse(at, detail);
    return true;
  }

  #refuse(at: readonly PropertyKey[], detail: string): void {
    this.issues.push({ detail, pointer: pointer(at) });
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
