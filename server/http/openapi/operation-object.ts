import * as z from "zod";
import type { ZodObjectInput, ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from "zod-openapi";
import { describeDeprecation } from "#contracts/deprecation.ts";
import type { Operation } from "#contracts/operation.ts";
import { MAX_BODY_BYTES } from "../route.ts";
import { security } from "./access.ts";
import { answers } from "./answers.ts";
import { headerParameters } from "./parameters.ts";

/** An operation of the contract as an operation of OpenAPI. */
export function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, tag, summary, description, scope, params, query, deprecation } = operation;
  const needs = scope === null ? [] : [`Needs the scope \`${scope}\`.`];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(deprecation ? { deprecated: true } : {}),
    description: [
      ...(deprecation ? [describeDeprecation(deprecation)] : []),
      ...(description ? [description] : []),
      ...needs,
    ].join("\n\n"),
    security: security(operation),
    requestParams: {
      ...(params ? { path: membersOf(params) } : {}),
      ...(query ? { query: membersOf(query) } : {}),
    },
    parameters: headerParameters(operation),
    ...requestBody(operation),
    responses: answers(operation),
  };
}

function membersOf(schema: z.ZodType): ZodObjectInput {
  if (!(schema instanceof z.ZodObject)) throw new TypeError("Parameters are described by an object schema.");
  return schema;
}

function requestBody(operation: Operation): { requestBody?: ZodOpenApiRequestBodyObject } {
  const { body, bodyOptional = false, maxBodyBytes = MAX_BODY_BYTES, method } = operation;
  if (!body) return {};
  const media = { schema: body };
  return {
    requestBody: {
      description: `At most ${maxBodyBytes / 1024} KiB of JSON in UTF-8, at most 32 levels deep.`,
      required: !bodyOptional,
      content: {
        "application/json": media,
        // A PATCH is a merge patch (RFC 7396), which may also call itself plain JSON.
        ...(method === "PATCH" ? { "application/merge-patch+json": media } : {}),
      },
    },
  };
}
