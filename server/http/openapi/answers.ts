import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { Operation } from "#contracts/operation.ts";
import { type AnswerHeader, EVERY_ANSWER, headerRefs } from "./headers.ts";
import { problemAnswers } from "./problem-answers.ts";
import { isList } from "./problems-of.ts";

const SUCCESS: Record<Operation["status"], string> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted: the work goes on in the background.",
  204: "Success, without a body.",
};

/** Every answer that a call can give. */
export function answers(operation: Operation): ZodOpenApiResponsesObject {
  const { method, status, otherStatuses = {}, versioned } = operation;
  const others = Object.entries(otherStatuses).map(([other, when]) => [other, success(operation, when)]);
  const notChanged = {
    description: "Not changed since the version that If-None-Match names.",
    headers: headerRefs([...EVERY_ANSWER, "ETag"]),
  };
  return {
    [`${status}`]: success(operation, SUCCESS[status]),
    ...Object.fromEntries(others),
    ...(method === "GET" && versioned ? { "304": notChanged } : {}),
    ...problemAnswers(operation),
  };
}

function success(operation: Operation, description: string): ZodOpenApiResponseObject {
  const { method, status, response, versioned } = operation;
  const more: [boolean | undefined, AnswerHeader][] = [
    [versioned, "ETag"],
    [status === 201, "Location"],
    [isList(operation), "Link"],
    [method === "POST", "Idempotent-Replayed"],
  ];
  const names = more.flatMap(([applies, name]) => (applies ? [name] : []));
  return {
    description,
    headers: headerRefs([...EVERY_ANSWER, ...names]),
    ...(response ? { content: { "application/json": { schema: response } } } : {}),
  };
}
