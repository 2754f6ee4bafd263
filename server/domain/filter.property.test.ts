import fc from "fast-check";
import { expect, it } from "vitest";
import { matches, parseFilter } from "./filter.ts";

// Few names and values, so that paths often lead somewhere.
const name = fc.constantFrom("a", "b", "0", "__proto__");
const scalar = fc.oneof(
  fc.constantFrom<unknown>("x", "xy", "", 0, -1, 1.5, true, false, null),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const kept = (value: unknown) => typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
const operand = scalar.filter(kept);
const orderable = fc.oneof(fc.constantFrom("x", "xy", "", 0, -1, 1.5), fc.integer());
const list = fc.array(operand, { minLength: 1, maxLength: 3 });
const operator = fc.oneof(
  fc.tuple(fc.constantFrom("$eq", "$ne"), operand),
  fc.tuple(fc.constantFrom("$in", "$nin"), list),
  fc.tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), orderable),
  fc.tuple(fc.constantFrom("$startsWith", "$endsWith"), fc.constantFrom("", "x", "y")),
  fc.tuple(fc.constant("$exists"), fc.boolean()),
);
const condition = fc.oneof(
  operand,
  fc.array(operator, { minLength: 1, maxLength: 3 }).map((operators) => Object.fromEntries(operators)),
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("."));
const leaf = fc.dictionary(path, condition, { minKeys: 1, maxKeys: 2 });
const branch = (part: fc.Arbitrary<unknown>) =>
  fc.oneof(
    leaf,
    part.map(($not) => ({ $not })),
    fc.array(part, { minLength: 1, maxLength: 2 }).map(($and) => ({ $and })),
    fc.array(part, { minLength: 1, maxLength: 2 }).map(($or) => ({ $or })),
  );
const filter = branch(branch(leaf));

function holds(value: unknown, event: unknown): boolean {
  const parsed = parseFilter(value);
  if (!parsed.ok) throw new Error(JSON.stringify([value, parsed.issues]));
  return matches(parsed.filter, event);
}

it("takes every filter that is well formed, and means the same after it was stored", () => {
  fc.assert(
    fc.property(filter, data, (wanted, event) => {
      const stored: unknown = JSON.parse(JSON.stringify(wanted));
      expect(holds(stored, event)).toBe(holds(wanted, event));
    }),
  );
});

it("obeys De Morgan, and has an opposite for each operator that has one", () => {
  fc.assert(
    fc.property(filter, filter, data, (one, other, event) => {
      expect(holds({ $not: { $and: [one, other] } }, event)).toBe(
        holds({ $or: [{ $not: one }, { $not: other }] }, event),
      );
      expect(holds({ $not: { $or: [one, other] } }, event)).toBe(
        holds({ $and: [{ $not: one }, { $not: other }] }, event),
      );
      expect(holds({ $not: { $not: one } }, event)).toBe(holds(one, event));
    }),
  );
  fc.assert(
    fc.property(path, operand, data, (at, value, event) => {
      expect(holds({ [at]: { $ne: value } }, event)).toBe(!holds({ [at]: value }, event));
      expect(holds({ [at]: { $nin: [value] } }, event)).toBe(!holds({ [at]: { $in: [value] } }, event));
      expect(holds({ [at]: { $in: [value] } }, event)).toBe(holds({ [at]: { $eq: value } }, event));
      expect(holds({ [at]: { $exists: false } }, event)).toBe(!holds({ [at]: { $exists: true } }, event));
    }),
  );
});

it("means by several members and operators all of them", () => {
  fc.assert(
    fc.property(path, orderable, orderable, data, (at, low, high, event) => {
      const both = [{ [at]: { $gte: low } }, { [at]: { $lt: high } }];
      expect(holds({ [at]: { $gte: low, $lt: high } }, event)).toBe(holds({ $and: both }, event));
    }),
  );
});

it("never throws, whatever it is given, and says where the defect is", () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom("$and", "$or", "$not", "$eq", "a", "a.b", ""), fc.jsonValue()),
    fc.dictionary(path, fc.dictionary(fc.constantFrom("$eq", "$in", "$gt", "$exists", "x"), fc.jsonValue())),
  );
  fc.assert(
    fc.property(anything, data, (value, event) => {
      const parsed = parseFilter(value);
      if (parsed.ok) expect(typeof matches(parsed.filter, event)).toBe("boolean");
      else
        for (const issue of parsed.issues) {
          expect(issue.pointer).toMatch(/^#\/filter(\/|$)/);
          expect(issue.detail).not.toBe("");
        }
    }),
    { numRuns: 500 },
  );
});
