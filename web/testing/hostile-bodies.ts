import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type ExampleSchema, exampleOf } from "#server/http/openapi/example-of.ts";
import { HOSTILE_JSON, HOSTILE_NAMES } from "./hostile-values.ts";

type Components = Readonly<Record<string, ExampleSchema>>;
type Path = readonly (string | number)[];

export interface HostileBody {
  /** What is wrong with it, for messages. */
  name: string;
  bytes: Buffer;
  /** Default: application/json. `null` sends none. */
  contentType?: string | null;
}

const MAX_LEVELS = 4;
const MARK = "@@hostile@@";

/** A member that a schema knows, with the pattern of its text if it has one. */
export interface Member {
  path: Path;
  pattern: string | undefined;
}

/** All members that a schema knows, down to a few levels; of arrays the first item stands for all. */
export function membersOf(schema: ExampleSchema, components: Components, base: Path = []): Member[] {
  if (base.length >= MAX_LEVELS) return [];
  const within = (part: ExampleSchema, path: Path) => membersOf(part, components, path);
  const member = (part: ExampleSchema, path: Path): Member[] => [
    { path, pattern: patternOf(part, components) },
    ...within(part, path),
  ];
  const referred = schema.$ref && components[schema.$ref.split("/").at(-1) ?? ""];
  return [
    ...(referred ? within(referred, base) : []),
    ...(schema.anyOf ?? []).flatMap((part) => within(part, base)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => member(part, [...base, name])),
    ...(schema.items ? member(schema.items, [...base, 0]) : []),
  ];
}

function patternOf(schema: ExampleSchema & { pattern?: string }, components: Components): string | undefined {
  const referred = schema.$ref && components[schema.$ref.split("/").at(-1) ?? ""];
  return schema.pattern ?? (referred ? patternOf(referred, components) : undefined);
}

/** The example with `change` applied to the object or array that holds the last step of `path`. */
function changed(
  example: object,
  path: Path,
  change: (holder: Record<string | number, unknown>) => void,
): unknown {
  const copy = structuredClone(example) as Record<string | number, unknown>;
  let holder = copy;
  for (const [at, step] of path.slice(0, -1).entries()) {
    const inside = holder[step];
    if (typeof inside !== "object" || inside === null)
      holder[step] = typeof path[at + 1] === "number" ? [] : {};
    holder = holder[step] as Record<string | number, unknown>;
  }
  change(holder);
  return copy;
}

/** The JSON text of the example with the raw text `json` as the value at `path`. */
export function withRaw(example: object, path: Path, json: string): string {
  const last = path.at(-1) ?? "";
  const marked = changed(example, path, (holder) => {
    holder[last] = MARK;
  });
  return JSON.stringify(marked).replace(`"${MARK}"`, () => json);
}

/** The JSON text of the example with one member more in the object at `path`. */
function withMember(example: object, name: string, json: string): string {
  const text = JSON.stringify(example);
  return `{"${name}":${json}${text === "{}" ? "" : ","}${text.slice(1)}`;
}

const json = (name: string, text: string): HostileBody => ({ name, bytes: Buffer.from(text) });
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Bodies with a defect, or what could be one, in each member that the schema knows. */
export function hostileMembers(
  schema: ExampleSchema,
  example: object,
  components: Components,
): HostileBody[] {
  const whole = { ...(exampleOf(schema, components, "body") as object), ...(example as object) };
  const paths = new Map(membersOf(schema, components).map(({ path }) => [path.join("/"), path]));
  return [...paths.values()].flatMap((path) => [
    ...HOSTILE_JSON.map((text) => json(`${path.join("/")} is ${short(text)}`, withRaw(whole, path, text))),
    json(
      `${path.join("/")} is missing`,
      JSON.stringify(changed(whole, path, (holder) => void delete holder[path.at(-1) ?? ""])),
    ),
  ]);
}

/** Texts that are no JSON, are no object, or hide something before or after one. */
const NO_DOCUMENTS: readonly string[] = [
  ...[
    "",
    " ",
    "\n\t",
    "{",
    "}",
    "[",
    "]",
    '"',
    "null",
    "true",
    "0",
    "1e400",
    '"text"',
    "[]",
    "[{}]",
    "{}",
    "NaN",
  ],
  ...[
    "{}{}",
    "{},",
    "{,}",
    "{'a':1}",
    "{a:1}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "// c\n{}",
    "/**/{}",
    "\u2028{}",
  ],
  ...[32, 33, 100_000].map((depth) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`),
  ...["[", '{"a":'].map((open) => open.repeat(50_000)),
  `"${"\\".repeat(100_001)}`,
  `{${'"a":1,'.repeat(20_000)}"a":1}`,
];

/** Bodies that are wrong as a whole. */
export function hostileWholes(example: object, maxBytes: number): HostileBody[] {
  const text = JSON.stringify(example);
  const padded = (length: number) => text + " ".repeat(length - Buffer.byteLength(text));
  const around = [
    `${text}x`,
    `${text}${text}`,
    `[${text}]`,
    `${text}\u0000`,
    `\u0000${text}`,
    `\ufeff${text}`,
  ];
  const cuts = [1, text.length >> 2, text.length >> 1, text.length - 1].map((at) => text.slice(0, at));
  const members = [
    ...HOSTILE_NAMES.flatMap((name) =>
      ["1", '{"polluted":true}'].map((part) => withMember(example, name, part)),
    ),
    ...Object.entries(example).flatMap(([name, value]) =>
      [JSON.stringify(value), '"first"'].map((part) => withMember(example, name, part)),
    ),
  ];
  const texts = [...NO_DOCUMENTS, ...around, ...cuts, ...members, padded(maxBytes), padded(maxBytes + 1)];
  return [...texts.map((body) => json(short(body), body)), ...noText(text)];
}

/** Bodies whose bytes are no UTF-8, or none of JSON's. */
function noText(text: string): HostileBody[] {
  const within = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
  return [
    { name: "UTF-16", bytes: Buffer.from(text, "utf16le") },
    { name: "gzip", bytes: gzipSync(text) },
    { name: "Latin-1", bytes: within(0xe9) },
    { name: "an overlong slash", bytes: within(0xc0, 0xaf) },
    { name: "a surrogate in UTF-8", bytes: within(0xed, 0xa0, 0x80) },
    { name: "a code point beyond the last", bytes: within(0xf4, 0x90, 0x80, 0x80) },
    { name: "control characters", bytes: within(0x01, 0x1f, 0x0a) },
    { name: "noise", bytes: Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 167 + 13) % 256)) },
  ];
}

/** The right body with some of its bytes changed, dropped or doubled; `seed` decides which. */
export function garbledBodies(
  example: object,
  { seed, count }: { seed: number; count: number },
): HostileBody[] {
  const right = Buffer.from(JSON.stringify(example));
  const at = fc.nat(right.length - 1);
  const edits = fc.array(fc.tuple(at, fc.nat(255), fc.constantFrom("change", "drop", "double")), {
    minLength: 1,
    maxLength: 4,
  });
  return fc.sample(edits, { seed, numRuns: count }).map((edit) => {
    const bytes = edit.reduce((body, [index, byte, what]) => {
      const middle =
        { change: [byte], drop: [], double: [...body.subarray(index, index + 8), byte] }[what] ?? [];
      return Buffer.concat([body.subarray(0, index), Buffer.from(middle), body.subarray(index + 1)]);
    }, right);
    return { name: `garbled by ${JSON.stringify(edit)}`, bytes };
  });
}

/** The right body under media types that are not its own, or strange. */
export function hostileTypes(example: object): HostileBody[] {
  const types = [
    ...[
      null,
      "",
      ";",
      "text/plain",
      "application/xml",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
    ],
    ...[
      "application/json; charset=latin1",
      "application/json;charset=utf-8;charset=utf-16",
      "application/json, text/html",
    ],
    ...[
      "application/problem+json",
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/json/x",
    ],
    ...[
      "APPLICATION/JSON",
      'application/json ; charset="UTF-8"',
      "application/json;;;=;",
      `application/json;${"a".repeat(5_000)}`,
    ],
    ...["\xff", "json", "*/*", "application/jsonx", "application/json charset=utf-8"],
  ];
  const bytes = Buffer.from(JSON.stringify(example));
  return types.map((contentType) => ({ name: `as ${contentType}`, bytes, contentType }));
}
