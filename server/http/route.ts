import type * as z from "zod";
import { type Operation, staffScopeOf } from "#contracts/operation.ts";
import { checkVersion } from "../check-version.ts";
import { type Ctx, newContext, type Services } from "../context.ts";
import { parseTraceparent } from "../domain/trace-context.ts";
import { AppError, notFound } from "../errors.ts";
import { authenticate, type FindStaff, requireRecentSignIn, requireScope } from "./authenticate.ts";
import { usedFields, withDeprecation } from "./deprecation.ts";
import { type IdempotentRequest, once, parseIdempotencyKey, recall } from "./idempotency.ts";
import { parseBody, parseParams, parseQuery } from "./input.ts";
import { JsonSource } from "./json/json-source.ts";
import { type JsonDocument, parseJson, type Unread } from "./json/parse-json.ts";
import { checkMediaType } from "./media-type.ts";
import type { ApiRequest, ApiResponse } from "./message.ts";
import { checkNoneMatch, existenceOf, parseIfMatch, takesIfMatch } from "./precondition.ts";
import { type Meter, openMeter } from "./rate-limit.ts";
import { readBody } from "./read-body.ts";
import { type Reply, render } from "./reply.ts";
import { resolveTenant } from "./resolve-tenant.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Of a body whose operation says nothing else. */
export const MAX_BODY_BYTES = 256 * 1024;

/** What the API works with beyond the services: where it is reached, and how staff are known. */
export interface ApiDeps {
  services: Services;
  findStaff?: FindStaff;
  /** `https://host`, without a slash at the end. */
  origin: string;
  /** How long a body may take to arrive. */
  bodyTimeoutMs: number;
}

/** One request that has been matched to its operation. */
export interface Call {
  request: ApiRequest;
  requestId: string;
  /** Headers of the answer, whatever becomes of the call. */
  always: Record<string, string>;
  prefix: string;
  /** Parameters of the path, percent-decoded. */
  params: Record<string, string>;
  /** Path without the query, and the query without its question mark. */
  path: string;
  query: string;
}

/** An operation with what answers it. */
export interface Route {
  operation: Operation;
  answer(deps: ApiDeps, call: Call): Promise<ApiResponse>;
}

/** Checked input of a use case. Parts that the operation does not have are `undefined`. */
export interface Input<P, Q, B, F> {
  params: P;
  query: Q;
  body: B;
  /** What the body was read from, for what must be kept to the byte. */
  source: JsonSource;
  /** The resource that the path names. */
  found: F;
  /** What If-Match expects of its version; `null` expects nothing. The conditional update must see to it again. */
  expectedVersions: readonly string[] | null;
  /** Of a change that may make what it names: whether that must be there (If-Match), or must not (`If-None-Match: *`). */
  mustExist: boolean | undefined;
  /** The request's path and its query, as they came. */
  path: string;
  search: string;
  /** Aborts when the client has left or the server stops. */
  signal: AbortSignal;
}

export interface Binding<P, Q, B, R, F> {
  /**
   * Reads the resource that the path names, in one query scoped by the tenant. `undefined` is 404, before the body is
   * looked at. What has a `version` can be guarded by If-Match.
   */
  find?: (ctx: Ctx, params: P) => Promise<F | undefined>;
  /** What of the body is only kept as text: it has nothing in it where `handle` gets it. */
  unread?: Unread;
  handle(ctx: Ctx, input: Input<P, Q, B, F>): Promise<Reply<R>>;
}

/**
 * Binds an operation to its use case. The order of the checks is the contract's: 401, 403, 404, 415 and 413, 428, 412,
 * 400 and 422, then what the use case itself refuses. 429 follows 401, and once more what is left of a batch.
 */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  F extends object | undefined = undefined,
>(
  operation: Operation<P, Q, B, R>,
  { find, unread, handle }: Binding<z.output<P>, z.output<Q>, z.output<B>, z.output<R>, F>,
): Route {
  return {
    operation,
    async answer(deps, call) {
      const { request, path, query: search } = call;
      const { ctx, meter } = await openContext(deps, call, operation);
      const params = (operation.params && parseParams(operation.params, call.params)) as z.output<P>;
      const found = (await find?.(ctx, params)) as F;
      if (find && !found) throw notFound();
      const bytes = await receive(deps, request, operation);
      let expectedVersions: readonly string[] | null;
      try {
        expectedVersions = checkPrecondition(request, operation, found);
      } catch (refusal) {
        return answerAgain(ctx, call, { operation, bytes, refusal });
      }
      const query = parseQuery(operation.query, search) as z.output<Q>;
      const key = idempotencyKey(request, operation);
      const { value, source } = readDocument(bytes, operation, unread);
      const body = (operation.body &&
        parseBody(operation.body, value, operation.memberProblems)) as z.output<B>;
      meter?.takeMore(operation.publishes?.(body) ?? 1);

      const input = {
        ...{ params, query, body, source, found, expectedVersions, path, search },
        mustExist: existenceOf(request, operation),
        // Made when it is asked for: an AbortController for every request is dear, and few calls wait.
        get signal() {
          return request.signal;
        },
      };
      const asked = { prefix: call.prefix, prefer: request.header("prefer") };
      const work = async (within: Ctx) => render(operation, await handle(within, input), asked);
      const answer =
        key === undefined
          ? await work(ctx)
          : await once(ctx, keyed(operation, call, { key, text: source.text }), work);
      if (operation.method !== "GET") deps.services.noteChange(ctx.tenantId);
      return withDeprecation(answer, usedFields(operation, { search, body: value }));
    },
  };
}

async function openContext(
  deps: ApiDeps,
  call: Call,
  operation: Operation,
): Promise<{ ctx: Ctx; meter: Meter | undefined }> {
  const { services, origin } = deps;
  const caller = await authenticate(services, deps.findStaff, call.request);
  const meter = openMeter(services.rateLimits, caller, operation, call.always);
  requireSameOrigin(caller.actor, call.request, origin);
  requireScope(caller.actor, caller.actor.kind === "staff" ? staffScopeOf(operation) : operation.scope);
  if (operation.recentSignIn) requireRecentSignIn(caller.actor, services.now());
  const tenantId = await resolveTenant(services.db, caller, operation, call.request);
  const { actor } = caller;
  const { requestId, prefix } = call;
  const traced = { requestId, caller: parseTraceparent(call.request.header("traceparent")) };
  return { ctx: newContext(services, { tenantId, actor, ...traced, origin, prefix }), meter };
}

/** The bytes of the body of an operation that has one. */
async function receive(deps: ApiDeps, request: ApiRequest, operation: Operation): Promise<Buffer> {
  if (!operation.body || !request.body) return Buffer.alloc(0);
  checkMediaType(request, operation.method);
  const maxBytes = operation.maxBodyBytes ?? MAX_BODY_BYTES;
  return readBody(request, { maxBytes, timeoutMs: deps.bodyTimeoutMs });
}

const NO_BODY = new JsonSource(Buffer.from("{}"));

function readDocument(bytes: Buffer, operation: Operation, unread?: Unread): JsonDocument {
  const isAbsent = !operation.body || (operation.bodyOptional && bytes.length === 0);
  return isAbsent ? { value: {}, source: NO_BODY } : parseJson(bytes, unread);
}

/** What If-Match expects of a call that it guards; 428 and 412 where that is not met, or If-None-Match is not. */
function checkPrecondition(
  request: ApiRequest,
  operation: Operation,
  found: object | undefined,
): readonly string[] | null {
  if (!takesIfMatch(operation)) return null;
  const expected = parseIfMatch(request.header("if-match"), operation.ifMatch === "required");
  const version = found && "version" in found ? found.version : undefined;
  if (typeof version === "string") {
    checkVersion(expected, version);
    checkNoneMatch(request.header("if-none-match"), version);
  }
  return expected;
}

/**
 * The answer that a POST has had under its Idempotency-Key: what it was refused for may be what it has done itself.
 * Throws the refusal when there is none.
 */
async function answerAgain(
  ctx: Ctx,
  call: Call,
  { operation, bytes, refusal }: { operation: Operation; bytes: Buffer; refusal: unknown },
): Promise<ApiResponse> {
  const earlier = async () => {
    const key = idempotencyKey(call.request, operation);
    if (key === undefined) return undefined;
    const { value, source } = readDocument(bytes, operation);
    const answer = await recall(ctx, keyed(operation, call, { key, text: source.text }));
    return answer && withDeprecation(answer, usedFields(operation, { search: call.query, body: value }));
  };
  const answer = await earlier().catch((error: unknown) => {
    // A defect in what comes after the precondition is not looked at yet.
    if (!(error instanceof AppError)) throw error;
  });
  if (!answer) throw refusal;
  return answer;
}

/** A request by which its repeats are known. */
function keyed(
  operation: Operation,
  { path, query }: Call,
  { key, text }: { key: string; text: string },
): IdempotentRequest {
  const { method, showsSecret: isSecret = false } = operation;
  return { key, method, path, query, body: text, isSecret };
}

function idempotencyKey(request: ApiRequest, operation: Operation): string | undefined {
  if (operation.method !== "POST") return undefined;
  const key = parseIdempotencyKey(request.header("idempotency-key"));
  if (key === undefined && operation.idempotencyKey === "required")
    throw new AppError("idempotency-key-missing", "This call needs an Idempotency-Key header.");
  return key;
}
