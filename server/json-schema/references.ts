import { pointer } from "../domain/json-pointer.ts";
import type { Issue } from "../errors.ts";
import type { Subschema } from "./subschemas.ts";

/** How many schemas one value may have to go through in a row: that many stack frames for each level of the data. */
const MAX_CHAIN = 32;

/** Where each `$ref` of a document leads, as a JSON Pointer in fragment form, and what is wrong with them. */
export interface References {
  targets: ReadonlyMap<Subschema, Subschema>;
  issues: Issue[];
}

/**
 * Resolves the references of a schema document. They may name parts of the document itself, `#`, `#/…` or `#anchor`,
 * and must not lead round in a circle without going deeper into the data. `at` is where the document lies.
 */
export function resolveReferences(all: readonly Subschema[], at: readonly PropertyKey[]): References {
  const issues: Issue[] = [];
  const byName = new Map<string, Subschema>();
  for (const node of all) {
    byName.set(pointer(node.path), node);
    const anchor = typeof node.schema === "object" ? node.schema.$anchor : undefined;
    if (typeof anchor !== "string") continue;
    if (byName.has(`#${anchor}`))
      issues.push({
        detail: "is the name of another part",
        pointer: pointer([...at, ...node.path, "$anchor"]),
      });
    byName.set(`#${anchor}`, node);
  }
  const targets = new Map<Subschema, Subschema>();
  for (const node of all) {
    const ref = typeof node.schema === "object" ? node.schema.$ref : undefined;
    if (typeof ref !== "string") continue;
    const target = byName.get(ref) ?? byName.get(normalized(ref));
    if (target) targets.set(node, target);
    else
      issues.push({
        detail: "must name a schema within this one: #, #/… or #anchor",
        pointer: pointer([...at, ...node.path, "$ref"]),
      });
  }
  return { targets, issues: [...issues, ...longChains(all, targets, at)] };
}

/** The spelling of a reference that `pointer` would have chosen. */
function normalized(ref: string): string {
  try {
    const tokens = decodeURIComponent(ref).split("/").slice(1);
    return ref.startsWith("#/")
      ? pointer(tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~")))
      : ref;
  } catch {
    return ref;
  }
}

/** Finds schemas that lead to each other for ever, or too long, while the value that they are asked about stays the same. */
function longChains(
  all: readonly Subschema[],
  targets: ReadonlyMap<Subschema, Subschema>,
  at: readonly PropertyKey[],
): Issue[] {
  const lengths = new Map<Subschema, number>();
  /** How long the chain from here is; endless for a circle, which is met while its start has no length yet. */
  const lengthOf = (node: Subschema, depth: number): number => {
    const known = lengths.get(node);
    if (known !== undefined) return known;
    if (depth > MAX_CHAIN) return Number.POSITIVE_INFINITY;
    const target = targets.get(node);
    const next = node.children.filter(({ isInPlace }) => isInPlace).map(({ of }) => of);
    const length =
      1 + Math.max(0, ...[...next, ...(target ? [target] : [])].map((n) => lengthOf(n, depth + 1)));
    lengths.set(node, length);
    return length;
  };
  const tooLong = all.find((node) => lengthOf(node, 0) > MAX_CHAIN);
  if (!tooLong) return [];
  const detail = `leads through more than ${MAX_CHAIN} schemas, or round in a circle, without going deeper into the data`;
  return [{ detail, pointer: pointer([...at, ...tooLong.path]) }];
}
