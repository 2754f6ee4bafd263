import { createHash } from "node:crypto";
import { PROBLEMS, type ProblemSlug } from "#contracts/problems.ts";
import { type Tx, withSavepoint, withTransaction } from "#db/client.ts";
import { sqlState } from "#db/database-errors.ts";
import {
  findIdempotentAnswer,
  type IdempotencyScope,
  type StoredAnswer,
  storeIdempotentAnswer,
  takeIdempotencyKey,
} from "#db/queries/idempotency.ts";
import type { Ctx } from "../context.ts";
import { answerIdentity } from "../crypto/identities.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { AppError } from "../errors.ts";
import type { ApiResponse } from "./message.ts";
import { problemResponse } from "./problem.ts";

const KEPT_MS = 7 * 86_400_000;
const WAIT_MS = 2_000;

/** As the draft has it, a quoted structured string with its escapes (RFC 9651 §3.3.3), or bare as most clients send it. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;
const MAX_KEY = 255;

/** The key of a header, quoted or bare; 400 when it is not 1 to 255 visible ASCII characters. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(.)/g, "$1") ?? BARE.exec(text)?.[0];
  if (key === undefined || key.length > MAX_KEY)
    throw new AppError(
      "invalid-parameter",
      `Idempotency-Key must be 1 to ${MAX_KEY} visible ASCII characters.`,
    );
  return key;
}

export interface IdempotentRequest {
  key: string;
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  /** JSON text of the body. */
  body: string;
  /** Whether the answer shows a secret: it is kept sealed. */
  isSecret: boolean;
}

/**
 * Runs `work` once per key. The key, what `work` does and its answer are one transaction: `work` must do its writes
 * through `ctx.transaction`, which becomes a savepoint, so that a refusal decided in it is stored while its writes
 * are undone. What fails on our side stores nothing. The key is taken first and the answer written last, after
 * `storeEvents` has locked the tenant's counter: that holds the lock for two short statements more, and in return a
 * second request with the key waits for the first and no work is done twice.
 */
export async function once(
  ctx: Ctx,
  request: IdempotentRequest,
  work: (ctx: Ctx) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const scope = scopeOf(ctx, request);
  const fingerprint = fingerprintOf(request);
  const kept = keptForm(ctx.keyring, scope, request.isSecret);
  return withTransaction(ctx.db, async (tx) => {
    if (!(await take(tx, scope, fingerprint, ctx.now()))) return replay(tx, scope, fingerprint, kept);
    const inside: Ctx = {
      ...ctx,
      idempotent: true,
      transaction: (run) => withSavepoint(tx, run),
      afterCommit: tx.afterCommit,
    };
    const answer = await work(inside).catch((error: unknown) => refusal(error, ctx));
    await storeIdempotentAnswer(tx, scope, { ...answer, body: answer.body && kept.seal(answer.body) });
    return answer;
  });
}

/**
 * The answer that the same request with the same key has had; `undefined` when there is none. For a request that is
 * refused for what the resource has become since: that may well be its own doing.
 */
export async function recall(ctx: Ctx, request: IdempotentRequest): Promise<ApiResponse | undefined> {
  const scope = scopeOf(ctx, request);
  const stored = await findIdempotentAnswer(ctx.db, scope);
  if (!stored || stored.expiresAt <= ctx.now() || !stored.fingerprint.equals(fingerprintOf(request)))
    return undefined;
  return replayed(stored, keptForm(ctx.keyring, scope, request.isSecret));
}

function scopeOf(ctx: Ctx, { method, path, key }: IdempotentRequest): IdempotencyScope {
  return { tenantId: ctx.tenantId, principalId: ctx.actor.principalId, method, path, key };
}

async function take(tx: Tx, scope: IdempotencyScope, fingerprint: Buffer, now: Date): Promise<boolean> {
  try {
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    return await takeIdempotencyKey(tx, scope, { fingerprint, now, expiresAt, waitMs: WAIT_MS });
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error;
    throw new AppError(
      "idempotency-in-progress",
      "The first request with this Idempotency-Key is still in flight.",
      {
        cause: error,
      },
    );
  }
}

/** How an answer's body is stored. */
interface KeptForm {
  seal(body: string): string;
  open(stored: string): string;
}

function keptForm(keyring: Keyring, scope: IdempotencyScope, isSecret: boolean): KeptForm {
  if (!isSecret) return { seal: (body) => body, open: (stored) => stored };
  const identity = answerIdentity(scope);
  return { seal: (body) => keyring.seal(body, identity), open: (stored) => keyring.open(stored, identity) };
}

async function replay(
  tx: Tx,
  scope: IdempotencyScope,
  fingerprint: Buffer,
  kept: KeptForm,
): Promise<ApiResponse> {
  const stored = await findIdempotentAnswer(tx, scope);
  if (!stored) throw new Error("an idempotency record vanished");
  if (!stored.fingerprint.equals(fingerprint))
    throw new AppError("idempotency-key-reused", "This Idempotency-Key came with another request.");
  return replayed(stored, kept);
}

function replayed({ status, headers, body }: StoredAnswer, kept: KeptForm): ApiResponse {
  return { status, headers: { ...headers, "idempotent-replayed": "true" }, body: body && kept.open(body) };
}

// A request that was not valid has done nothing that its key could stand for: it may be corrected and sent again.
const NOT_KEPT = new Set<ProblemSlug>(["validation-error", "endpoint-url-rejected"]);

/** A refusal by the state of things is an answer like another, and is kept; what failed on our side is not. */
function refusal(error: unknown, ctx: Ctx): ApiResponse {
  if (!(error instanceof AppError) || NOT_KEPT.has(error.slug) || PROBLEMS[error.slug].status >= 500)
    throw error;
  return problemResponse(error, ctx);
}

function fingerprintOf({ method, path, query, body }: IdempotentRequest): Buffer {
  const text = [method, path, query, canonicalJson(body)].join("\n");
  return createHash("sha256").update(text).digest();
}
