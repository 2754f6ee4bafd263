import { schemaChecker } from "./testing-schema.ts";
import type { OpenApi, OperationObject, ResponseObject, SchemaObject } from "./testing-structure.ts";

/** A call of the API, as its client saw it. */
export interface Exchange {
  method: string;
  /** Below the prefix, with its query. */
  path: string;
  /** What was sent as JSON. */
  sent?: unknown;
  status: number;
  headers: Headers;
  /** The body as it came, and what it says when it is JSON. */
  text: string;
  json: unknown;
}

/** Gives what the document does not say of a call and its answer; nothing when they are as it says. */
export function conformance(document: OpenApi): (exchange: Exchange) => string[] {
  const fits = schemaChecker(document);
  return (exchange) => {
    const [path = "", query = ""] = exchange.path.split("?");
    const item = itemOf(document, path);
    // Paths without an item are beside the API, or do not exist.
    if (!item || exchange.method === "OPTIONS") return [];
    const method = (exchange.method === "HEAD" ? "get" : exchange.method.toLowerCase()) as keyof typeof item;
    const operation = item[method];
    const told = operation?.responses[exchange.status] ?? {
      $ref: "#/components/responses/method-not-allowed",
    };
    if (operation && !(exchange.status in operation.responses)) return [`${exchange.status} is not told`];
    const response = responseOf(document, told);
    return [
      ...headerDefects(document, response, exchange, fits),
      ...bodyDefects(response, exchange, fits),
      ...(operation && exchange.status < 300 ? requestDefects(operation, query, exchange, fits) : []),
    ];
  };
}

type Fits = (schema: SchemaObject, value: unknown) => string[];

/** The item whose template fits; the one that spells most of the path out. */
function itemOf({ paths }: OpenApi, path: string): OpenApi["paths"][string] | undefined {
  const fitting = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const [best = ""] = fitting.sort((a, b) => a.split("{").length - b.split("{").length);
  return paths[best];
}

function responseOf(
  { components }: OpenApi,
  told: OperationObject["responses"][string],
): ResponseObject | undefined {
  return "$ref" in told ? components.responses[told.$ref.split("/").at(-1) ?? ""] : told;
}

function headerDefects(
  { components }: OpenApi,
  response: ResponseObject | undefined,
  { headers }: Exchange,
  fits: Fits,
): string[] {
  return Object.entries(components.headers).flatMap(([name, { required, schema }]) => {
    const value = headers.get(name);
    if (!response?.headers?.[name]) return value === null ? [] : [`the header ${name} is not told`];
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    const defects = fits(schema, schema.type === "integer" ? Number(value) : value);
    return defects.map((defect) => `the header ${name}${defect}`);
  });
}

function bodyDefects(response: ResponseObject | undefined, exchange: Exchange, fits: Fits): string[] {
  const { method, headers, text, json } = exchange;
  if (method === "HEAD" || (!response?.content && text === "")) return [];
  const media = response?.content?.[headers.get("content-type") ?? ""];
  if (!media) return [`a body of ${headers.get("content-type")} is not told`];
  const slug = slugOf(json);
  return [
    ...fits(media.schema, json),
    ...(media.examples && !(slug in media.examples) ? [`the problem ${slug} is not told`] : []),
  ];
}

/** The last part of a problem's type; `about:blank` is the failure that nobody foresaw. */
function slugOf(json: unknown): string {
  const type = typeof json === "object" && json !== null && "type" in json ? String(json.type) : "";
  return type === "about:blank" ? "internal-error" : (type.split("/").at(-1) ?? "");
}

/** What the API took, a client that goes by the document must be able to send. */
function requestDefects(
  { operationId, parameters, requestBody }: OperationObject,
  query: string,
  { sent }: Exchange,
  fits: Fits,
): string[] {
  const names = parameters.flatMap((parameter) => ("in" in parameter ? [parameter.name] : []));
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !names.includes(name));
  // A batch is taken whose events are refused one by one.
  const isMixed = operationId === "publishEvents";
  const schema = isMixed ? undefined : requestBody?.content["application/json"]?.schema;
  return [
    ...unknown.map((name) => `the parameter ${name} is not told`),
    ...(schema && sent !== undefined ? fits(schema, sent).map((defect) => `sent ${defect}`) : []),
  ];
}
