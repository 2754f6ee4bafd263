import { EventType as EventTypeName } from "#contracts/events.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { type Place, placeAt, scanJson, textAt } from "./json-scan.ts";
import { prettyJson } from "./pretty-json.ts";

/** An event type as a person writes it; `schema` and `example` are texts, empty for none. */
export interface Draft {
  name: string;
  description: string;
  schema: string;
  example: string;
  deprecated: boolean;
}

export const EMPTY_DRAFT: Draft = { name: "", description: "", schema: "", example: "", deprecated: false };

/** The draft of a type from its text, digit by digit. */
export function draftOf(text: string): Draft {
  const { name, description, deprecated } = JSON.parse(text) as Omit<Draft, "description"> & {
    description: string | null;
  };
  const member = (pointer: string) => {
    const found = textAt(text, pointer) ?? "null";
    return found === "null" ? "" : (prettyJson(found) ?? found);
  };
  return {
    name,
    description: description ?? "",
    schema: member("/schema"),
    example: member("/example"),
    deprecated,
  };
}

/** The request body of a draft whose texts are JSON; they go into it as they are. */
export function bodyOf({ description, schema, example, deprecated }: Draft): string {
  const text = (json: string) => (json.trim() === "" ? "null" : json);
  return `{"description":${JSON.stringify(description || null)},"schema":${text(schema)},"example":${text(example)},"deprecated":${deprecated}}`;
}

/** Something that is wrong with a field, and where in its text. */
export interface FieldDefect {
  message: string;
  place: Place | null;
}

const FIELDS = ["name", "description", "schema", "example"] as const;
export type Field = (typeof FIELDS)[number];
export type Defects = Partial<Record<Field, FieldDefect[]>>;

export const hasDefects = (defects: Defects): boolean => Object.keys(defects).length > 0;

/** What is wrong with a draft before the server has been asked: texts that are no JSON. */
export function syntaxDefects(draft: Draft): Defects {
  const defects: Defects = {};
  for (const field of ["schema", "example"] as const) {
    if (draft[field].trim() === "") continue;
    const { defect } = scanJson(draft[field]);
    if (!defect) continue;
    const { message, line, column } = defect;
    defects[field] = [{ message: `This is no JSON: ${message}.`, place: { line, column } }];
  }
  return defects;
}

/** What is wrong with a name; `null` for one that the server takes. */
export function nameDefect(name: string): string | null {
  if (name === "") return "A type needs a name, such as invoice.paid.";
  const parsed = EventTypeName.safeParse(name);
  return parsed.success ? null : `The name ${parsed.error.issues[0]?.message ?? "is none"}.`;
}

/** What the server finds wrong with the fields of a draft; `null` when its answer is of something else. */
export function refusedDefects(error: unknown, draft: Draft): Defects | null {
  const errors = error instanceof ApiProblem ? (error.problem?.errors ?? []) : [];
  const defects: Defects = {};
  for (const { detail, pointer } of errors) {
    const [, first = "", ...rest] = decodeURIComponent(pointer.replace(/^#/, "")).split("/");
    const field = FIELDS.find((name) => name === first);
    if (!field) return null;
    const inner = rest.map((token) => `/${token}`).join("");
    const message = `${inner === "" ? "The whole" : inner} ${detail}.`;
    const isText = field === "schema" || field === "example";
    defects[field] = [
      ...(defects[field] ?? []),
      { message, place: isText ? placeOf(draft[field], inner) : null },
    ];
  }
  return hasDefects(defects) ? defects : null;
}

/** Where a pointer leads, or as much of it as is there: what is missing stands nowhere. */
function placeOf(text: string, pointer: string): Place | null {
  const { values } = scanJson(text);
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = values.get(at);
    if (found) return placeAt(text, found.start);
    if (at === "") return null;
  }
}
