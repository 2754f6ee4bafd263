import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { Operation } from "#contracts/operation.ts";
import { hasMarkedFields } from "../deprecation.ts";
import { carriesTag } from "../reply.ts";
import { type AnswerHeader, CALLERS_ANSWER, DEPRECATION_HEADERS, headerRefs } from "./headers.ts";
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
  // Where another status tells of nothing that was made, nothing has a place.
  const { location: _, ...same } = operation;
  const others = Object.entries(otherStatuses).map(([other, when]) => [other, success(same, when)]);
  const notChanged = {
    description: "Not changed since the version that If-None-Match names.",
    headers: headerRefs([...CALLERS_ANSWER, "ETag", ...deprecationHeaders(operation)]),
  };
  return {
    [`${status}`]: success(operation, SUCCESS[status], status !== 204),
    ...Object.fromEntries(others),
    ...preferred(operation),
    ...(method === "GET" && versioned ? { "304": notChanged } : {}),
    ...problemAnswers(operation),
  };
}

/** What an answer of success may carry when the call, or a part of it, is deprecated. */
function deprecationHeaders(operation: Operation): readonly AnswerHeader[] {
  return operation.deprecation || hasMarkedFields(operation) ? DEPRECATION_HEADERS : [];
}

/** The answer that a client gets when it asks for it. */
function preferred(operation: Operation): ZodOpenApiResponsesObject {
  const when = `When \`Prefer: return=${operation.prefer}\` asks for it.`;
  if (operation.prefer === "minimal") return { "204": success(operation, when, false) };
  return operation.prefer === "representation" ? { "200": success(operation, when) } : {};
}

function success(operation: Operation, description: string, hasBody = true): ZodOpenApiResponseObject {
  const { method, status, response, prefer, deprecation } = operation;
  const more: [boolean, ...AnswerHeader[]][] = [
    [carriesTag(operation), "ETag"],
    [status === 201 || operation.location === true, "Location"],
    [isList(operation), "Link"],
    [method === "POST", "Idempotent-Replayed"],
    [prefer !== undefined, "Preference-Applied"],
    [deprecation !== undefined || hasMarkedFields(operation), ...DEPRECATION_HEADERS],
  ];
  const names = more.flatMap(([applies, ...given]) => (applies ? given : []));
  return {
    description,
    headers: headerRefs([...CALLERS_ANSWER, ...names, ...deprecationHeaders(operation)]),
    ...(response && hasBody ? { content: { "application/json": { schema: response } } } : {}),
  };
}
