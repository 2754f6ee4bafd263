import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { Operation } from "#contracts/operation.ts";
import { PROBLEMS, Problem, type ProblemSlug } from "#contracts/problems.ts";
import {
  type AnswerHeader,
  CALLERS_ANSWER,
  DEPRECATION_HEADERS,
  EVERY_ANSWER,
  headerRefs,
} from "./headers.ts";
import { problemsOf } from "./problems-of.ts";

/** The answers that tell of a problem alone in its status, the same for every call. */
const ALIKE = [
  "unauthenticated",
  "forbidden",
  "not-found",
  "method-not-allowed",
  "payload-too-large",
  "unsupported-media-type",
  "rate-limited",
] as const satisfies readonly ProblemSlug[];

const ref = (kind: string, name: string): oas31.ReferenceObject => ({ $ref: `#/components/${kind}/${name}` });

/** The answers by which a call is refused, or fails. */
export function problemAnswers(operation: Operation): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(problemsOf(operation), (slug) => PROBLEMS[slug].status);
  const answers = [...byStatus].map(([status, slugs]) => {
    const [first = ""] = slugs;
    const own = headersOfCall(operation, status);
    const isAlike = own.length === 0 && slugs.length === 1 && ALIKE.some((slug) => slug === first);
    return [status, isAlike ? ref("responses", first) : refusal(slugs, own)];
  });
  const failed = operation.deprecation ? failure(DEPRECATION_HEADERS) : ref("responses", "internal-error");
  return { ...Object.fromEntries(answers), "500": failed };
}

/** The answers that calls share; 405 is that of a path, and of no call of its own. */
export function sharedAnswers(): Record<string, ZodOpenApiResponseObject> {
  return {
    ...Object.fromEntries(ALIKE.map((slug) => [slug, refusal([slug])])),
    "internal-error": failure([]),
  };
}

/** Of the answer to what nobody foresaw. */
function failure(own: readonly AnswerHeader[]): ZodOpenApiResponseObject {
  return {
    description: "Something went wrong on our side; the log has it under the request id.",
    headers: headerRefs([...CALLERS_ANSWER, ...own]),
    content: problemContent(["internal-error"]),
  };
}

/** Decided when the input had been found valid: a repeat with the same Idempotency-Key gets it again. */
const REPLAYED = [409, 412, 422];

function headersOfCall({ method, deprecation }: Operation, status: number): AnswerHeader[] {
  const given: [boolean, ...AnswerHeader[]][] = [
    [method === "PATCH" && status === 415, "Accept-Patch"],
    [method === "POST" && REPLAYED.includes(status), "Idempotent-Replayed"],
    [deprecation !== undefined, ...DEPRECATION_HEADERS],
  ];
  return given.flatMap(([applies, ...names]) => (applies ? names : []));
}

const HEADERS: Partial<Record<ProblemSlug, AnswerHeader>> = {
  unauthenticated: "WWW-Authenticate",
  "method-not-allowed": "Allow",
  "idempotency-in-progress": "Retry-After",
  "rate-limited": "Retry-After",
  unavailable: "Retry-After",
  timeout: "Retry-After",
};

/** An answer that is one of some problems. */
function refusal(slugs: readonly ProblemSlug[], own: readonly AnswerHeader[] = []): ZodOpenApiResponseObject {
  const told = slugs.map((slug) => `${PROBLEMS[slug].title} (\`${slug}\`). ${PROBLEMS[slug].help}`);
  const implied = slugs.flatMap((slug) => HEADERS[slug] ?? []);
  const isCallers = !slugs.some((slug) => slug === "unauthenticated" || slug === "method-not-allowed");
  return {
    description: told.length === 1 ? told.join("") : told.map((line) => `- ${line}`).join("\n"),
    headers: headerRefs([...(isCallers ? CALLERS_ANSWER : EVERY_ANSWER), ...implied, ...own]),
    content: problemContent(slugs),
  };
}

function problemContent(examples: readonly string[]): ZodOpenApiResponseObject["content"] {
  const shown = Object.fromEntries(examples.map((name) => [name, ref("examples", name)]));
  return { "application/problem+json": { schema: Problem, examples: shown } };
}
