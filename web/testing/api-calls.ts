import { operations } from "#contracts/index.ts";
import type { Operation } from "#contracts/operation.ts";
import { testDocument } from "#server/http/openapi/testing-document.ts";
import type { OpenApi, OperationObject, SchemaObject } from "#server/http/openapi/testing-structure.ts";

/** An operation of the contract beside what the OpenAPI document says of it. */
export interface ApiCall {
  operation: Operation;
  /** `POST /orders/{id}/payment`, for messages. */
  name: string;
  /** Names of the path's parameters, in order. */
  pathParameters: string[];
  queryParameters: { name: string; schema: SchemaObject }[];
  /** Names of the headers that the call looks at, beyond those of every call. */
  headers: string[];
  /** The schema of the body and an example of it; `undefined` when the call takes none. */
  body: { schema: SchemaObject; example: object } | undefined;
  status: number;
  isList: boolean;
}

function apiCalls(document: OpenApi): ApiCall[] {
  return operations.map((operation) => {
    const method = operation.method.toLowerCase() as "get";
    const told = document.paths[operation.path]?.[method];
    if (!told) throw new Error(`${operation.id} is not in the OpenAPI document`);
    const queryParameters = parametersIn("query", told);
    const media = told.requestBody?.content["application/json"];
    return {
      operation,
      name: `${operation.method} ${operation.path}`,
      pathParameters: [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""),
      queryParameters,
      headers: parametersIn("header", told).map(({ name }) => name),
      body: media && { schema: media.schema, example: media.example as object },
      status: operation.status,
      isList: queryParameters.some(({ name }) => name === "after"),
    };
  });
}

function parametersIn(
  place: "query" | "header",
  { parameters }: OperationObject,
): ApiCall["queryParameters"] {
  return parameters.flatMap((parameter) =>
    "in" in parameter && parameter.in === place ? [{ name: parameter.name, schema: parameter.schema }] : [],
  );
}

/** The path of a call below the prefix with its parameters filled in, each percent-encoded. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} lacks ${name}`);
    return encodeURIComponent(value);
  });
}

/** What the API says of itself. */
export const document = testDocument();
/** Every operation that the contract lists, whatever they are by now. */
export const calls = apiCalls(document);
