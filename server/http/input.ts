import type * as z from "zod";
import type { ProblemSlug } from "#contracts/problems.ts";
import { pointer } from "../domain/json-pointer.ts";
import { AppError, type Issue, notFound, validationError } from "../errors.ts";

/** What a schema found wrong, each with a pointer below `base`. */
export function issuesOf(error: z.ZodError, base: readonly PropertyKey[] = []): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        detail: "This call takes no such member.",
        pointer: pointer([...path, key]),
      }));
    return [{ detail: issue.message, pointer: pointer(path) }];
  });
}

/** The body as its schema gives it; 422 with pointers when it does not fit. `problems` are those of members. */
export function parseBody<T extends z.ZodType>(
  schema: T,
  value: unknown,
  problems: Readonly<Record<string, ProblemSlug>> = {},
): z.output<T> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw validationError([{ detail: "must be an object", pointer: "#" }]);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error);
  const special = Object.entries(problems).find(([member]) =>
    issues.some((issue) => issue.pointer === pointer([member])),
  );
  if (!special) throw validationError(issues);
  throw new AppError(special[1], `There is a defect in ${special[0]}.`, { issues });
}

/** The path's parameters; one that cannot be is a resource that does not exist. */
export function parseParams<T extends z.ZodType>(schema: T, values: Record<string, string>): z.output<T> {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

/**
 * The query's parameters: 400 for an unknown one, an impossible value, or a repeated one that is not repeatable.
 * A repeated parameter reaches the schema as an array.
 */
export function parseQuery<T extends z.ZodType>(
  schema: T | undefined,
  query: string,
): z.output<T> | undefined {
  if (!schema && query === "") return undefined;
  const values: Record<string, string | string[]> = {};
  const search = new URLSearchParams(query);
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name);
    if (name.includes("\0") || all.some((value) => value.includes("\0") || value.includes("\ufffd")))
      throw new AppError("invalid-parameter", "The query is not text in percent-encoded UTF-8.");
    Object.defineProperty(values, name, { value: all.length > 1 ? all : all[0], enumerable: true });
  }
  if (!schema) {
    const [unknown] = Object.keys(values);
    if (unknown !== undefined) throw unknownParameter(unknown);
    return undefined;
  }
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownParameter(issue.keys[0] ?? "");
  const name = String(issue?.path[0] ?? "");
  const repeated = Array.isArray(values[name]) && issue?.path.length === 1;
  throw new AppError(
    "invalid-parameter",
    repeated ? `${name} may be given once.` : `${name}: ${issue?.message}.`,
  );
}

const unknownParameter = (name: string) =>
  new AppError("invalid-parameter", `There is no query parameter ${JSON.stringify(name)}.`);
