import type { Method } from "#contracts/operation.ts";
import type { Route } from "./route.ts";

/** What a path is: the routes of its methods, and the values of its parameters for each. */
export interface Match {
  methods: Map<Method, { route: Route; params: Record<string, string> }>;
}

/** Finds what a path below the prefix stands for; `undefined` when there is nothing. */
export type Router = (path: string) => Match | undefined;

interface Pattern {
  route: Route;
  /** `null` where a parameter stands. */
  segments: (string | null)[];
  names: string[];
}

/** Compiles routes once, so that a request costs one map look-up and a few comparisons. */
export function createRouter(routes: readonly Route[]): Router {
  const patterns = routes.map(toPattern);
  const byLength = Map.groupBy(patterns, (pattern) => pattern.segments.length);
  const find = (path: string): Match | undefined => {
    const segments = path.split("/").slice(1);
    const matching = (byLength.get(segments.length) ?? []).filter((pattern) => matches(pattern, segments));
    // The literal spelling wins, as in OpenAPI: `/events/batch` is never an event's id.
    const fewest = Math.min(...matching.map(({ names }) => names.length));
    const methods: Match["methods"] = new Map();
    for (const pattern of matching.filter(({ names }) => names.length === fewest)) {
      const params = paramsOf(pattern, segments);
      if (params) methods.set(pattern.route.operation.method, { route: pattern.route, params });
    }
    return methods.size > 0 ? { methods } : undefined;
  };
  const literals = patterns
    .filter(({ names }) => names.length === 0)
    .map(({ route }) => route.operation.path);
  const found = new Map(literals.map((path) => [path, find(path)]));
  return (path) => found.get(path) ?? find(path);
}

function toPattern(route: Route): Pattern {
  const parts = route.operation.path.split("/").slice(1);
  return {
    route,
    segments: parts.map((part) => (part.startsWith("{") ? null : part)),
    names: parts.filter((part) => part.startsWith("{")).map((part) => part.slice(1, -1)),
  };
}

function matches({ segments }: Pattern, given: readonly string[]): boolean {
  return segments.every((segment, at) => (segment === null ? given[at] !== "" : segment === given[at]));
}

/** The parameters' values; `undefined` when one is no text in percent-encoded UTF-8. */
function paramsOf(
  { segments, names }: Pattern,
  given: readonly string[],
): Record<string, string> | undefined {
  const values = given.filter((_, at) => segments[at] === null);
  try {
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]));
  } catch {
    return undefined;
  }
}
