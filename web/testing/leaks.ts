import type { RawAnswer, RawRequest } from "./raw-client.ts";

/** What tells of our insides: traces, files, SQL, the words of PostgreSQL and of libraries, secrets. */
const INSIDES: readonly (readonly [RegExp, string])[] = [
  [/\bat (?:async )?[\w.<>[\] ]+ \(|\bat (?:file|node):|:\d+:\d+\)/, "a stack trace"],
  [
    /node_modules|file:\/\/|\.[cm]?[jt]sx?\b(?!on)|(?:^|[\s"'(])\/(?:work|home|root|usr|tmp|var|app)\//,
    "a file",
  ],
  [/\bselect\b.+\bfrom\b|\binsert into\b|\bupdate \w+ set\b|\bdelete from\b|\bon conflict\b/i, "SQL"],
  [/\brelation "|\bcolumn "|syntax error|\bviolates\b|duplicate key|out of range for type/i, "PostgreSQL"],
  [
    /invalid input syntax|invalid byte sequence|unsupported Unicode escape|SQLSTATE|\bpg_|pgboss|postgres/i,
    "PostgreSQL",
  ],
  [
    /\b(?:Type|Range|Syntax|Reference|Zod|Postgres|Assertion)Error\b|Cannot read|is not a function/,
    "an exception",
  ],
  [/\[object \w+\]|\bE(?:CONN|PIPE|NOENT|TIMEDOUT)\w*/, "an exception"],
];
const SECRET = /(?:whsec_|whsk_)[A-Za-z0-9+/]{8}|\bph_[a-z]+_\w+_\w+/;

/** Gives what an answer tells of our insides that its request did not say first. */
export function leaks({ status, headers, text }: RawAnswer, request: RawRequest): string[] {
  // What a successful answer says is content, but for what no content of ours has.
  const said = status < 400 ? "" : [unescaped(text), ...headers.values()].join("\n");
  const sent = [request.target, ...(request.headers ?? []).map(([, value]) => value), request.body].join(
    "\n",
  );
  return [...INSIDES, [SECRET, "a secret"] as const].flatMap(([pattern, what]) => {
    const match = pattern.exec(said)?.[0];
    return match === undefined || sent.includes(match) ? [] : [`${what}: ${match}`];
  });
}

/** The text of JSON strings with the quotes and line ends that they say. */
const unescaped = (json: string) => json.replaceAll("\\n", "\n").replaceAll(/\\(["\\/])/g, "$1");
