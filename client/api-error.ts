/** What went wrong with a call, told in the words of the server where it had any. */
export class ApiError extends Error {
  override name = "ApiError";
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** For support to find the call by; `null` when the server gave none. */
  readonly requestId: string | null;
  /** The problem type's last part, such as `state-conflict`, or the sign-in service's code. */
  readonly slug: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: Omit<ApiError, keyof Error>) {
    super(fields.detail);
    this.status = fields.status;
    this.title = fields.title;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.slug = fields.slug;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Whether the same call may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Reads an answer that is not a success: an RFC 9457 problem, the sign-in service's `{code, message}`, or neither. */
export function errorOf(response: Response, body: unknown): ApiError {
  const members = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const type = text(members.type);
  const retryAfter = response.headers.get("retry-after") ?? response.headers.get("x-retry-after");
  return new ApiError({
    status: response.status,
    title: text(members.title) ?? `The server answered with status ${response.status}`,
    detail: text(members.detail) ?? text(members.message) ?? "It gave no further explanation.",
    requestId: response.headers.get("x-request-id"),
    slug: (type?.startsWith("http") ? type.split("/").at(-1) : text(members.code)) ?? null,
    retryAfterSeconds: retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  });
}

/** No answer came, or none that can be read. */
export function unreachable(detail = "Check your connection. If it is fine, the server is down."): ApiError {
  return new ApiError({
    status: 0,
    title: "The server cannot be reached",
    detail,
    requestId: null,
    slug: null,
    retryAfterSeconds: null,
  });
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
