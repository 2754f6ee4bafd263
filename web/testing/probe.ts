import { isDeepStrictEqual } from "node:util";
import { PROBLEMS } from "#contracts/problems.ts";
import { API_PREFIX } from "#server/http/api.ts";
import type { Exchange } from "#server/http/openapi/testing-conformance.ts";
import { leaks } from "./leaks.ts";
import { type RawAnswer, RawClient, type RawRequest } from "./raw-client.ts";

export interface ProbeOptions {
  port: number;
  origin: string;
  /** What the OpenAPI document does not say of a call and its answer. */
  conformance: (exchange: Exchange) => string[];
}

/** Sends requests of any shape and says what is wrong with their answers. */
export class Probe {
  private readonly client: RawClient;
  private readonly options: ProbeOptions;
  /** How many requests were sent. */
  sent = 0;

  constructor(options: ProbeOptions) {
    this.options = options;
    this.client = new RawClient(options.port);
  }

  /** The answer, with what no answer of ours may be. */
  async send(request: RawRequest): Promise<RawAnswer & { json: unknown; defects: string[] }> {
    this.sent++;
    const answer = await this.client.send(request);
    const isJson = answer.headers.get("content-type")?.includes("json") && answer.text !== "";
    const json: unknown = isJson ? JSON.parse(answer.text) : undefined;
    return { ...answer, json, defects: this.defectsOf(request, { ...answer, json }) };
  }

  close(): void {
    this.client.close();
  }

  private defectsOf(request: RawRequest, answer: RawAnswer & { json: unknown }): string[] {
    const { conformance, origin } = this.options;
    if (isOfParser(answer)) return headerDefects(answer);
    const { method } = request;
    const target = request.target.replace(/^http:\/\/[^/]*/, "");
    // What lies beside the API answers as it likes.
    if (!/^\/api\/v1(?:$|[/?])/.test(target)) return [];
    const path = target.slice(API_PREFIX.length);
    return [
      ...(answer.status >= 500 ? [`${answer.status}`] : []),
      ...conformance({ method, path, sent: sentJson(request, answer), ...answer }),
      ...(answer.status >= 400 && method !== "HEAD" ? problemDefects(answer, origin) : []),
      ...headerDefects(answer),
      ...leaks(answer, request),
    ];
  }
}

/** What Node's own parser refuses because it is no HTTP/1.1 message: a problem that says no more than its status. */
const OF_PARSER: Readonly<Record<number, string>> = {
  400: "Bad Request",
  431: "Request Header Fields Too Large",
};

const isOfParser = ({ status, headers, json }: RawAnswer & { json: unknown }) =>
  headers.get("connection") === "close" &&
  isDeepStrictEqual(json, {
    type: "about:blank",
    title: OF_PARSER[status],
    status,
    instance: `urn:uuid:${headers.get("x-request-id")}`,
  });

/** What was sent, where it was taken: then the document must allow it. */
function sentJson({ body }: RawRequest, { status }: RawAnswer): unknown {
  return body && body.length > 0 && status < 300 ? JSON.parse(body.toString("utf8")) : undefined;
}

/** A JSON Pointer in fragment form: what a fragment may hold (RFC 3986 §3.5), each token begun by a slash. */
const POINTER = /^#(\/([A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})*)*$/;
const MEMBERS = [
  ...["type", "title", "status", "detail", "instance", "errors"],
  ...["current_version", "state", "links", "oldest_cursor"],
];

/** What is not as RFC 9457 and the contract want it. */
function problemDefects({ status, headers, json }: RawAnswer & { json: unknown }, origin: string): string[] {
  if (typeof json !== "object" || json === null) return ["a refusal that is no problem"];
  const problem = json as Record<string, unknown>;
  const slug = String(problem.type).replace(`${origin}/problems/`, "");
  const known = Object.hasOwn(PROBLEMS, slug) ? PROBLEMS[slug as keyof typeof PROBLEMS] : undefined;
  const errors = (problem.errors ?? []) as { detail: string; pointer: string }[];
  const checks: [boolean, string][] = [
    [known !== undefined, `an unknown type ${problem.type}`],
    [known?.status === status && problem.status === status, "another status than its type's"],
    [known?.title === problem.title, "another title than its type's"],
    [problem.instance === `urn:uuid:${headers.get("x-request-id")}`, "another instance than its request id"],
    [typeof problem.detail === "string" && problem.detail.length > 10, "no detail"],
    [headers.get("content-type") === "application/problem+json", "another media type"],
    [headers.get("cache-control") === "no-store", "may be cached"],
    [errors.every(({ pointer }) => POINTER.test(pointer)), "a pointer that is none"],
    [errors.every(({ detail }) => detail.length > 0), "an error without words"],
    [Object.keys(problem).every((name) => MEMBERS.includes(name)), `members ${Object.keys(problem)}`],
  ];
  return checks.flatMap(([holds, defect]) => (holds ? [] : [defect]));
}

function headerDefects({ headers }: RawAnswer): string[] {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(headers.get("x-request-id") ?? "");
  return [
    ...(isId ? [] : ["no X-Request-Id"]),
    ...(headers.get("x-content-type-options") === "nosniff" ? [] : ["no X-Content-Type-Options"]),
    ...(headers.get("x-frame-options") === "DENY" ? [] : ["may be framed"]),
    ...(headers.has("cache-control") ? [] : ["no Cache-Control"]),
  ];
}
