import type { ProblemSlug } from "#contracts/problems.ts";

export interface Issue {
  detail: string;
  /** RFC 6901 pointer in fragment form: `#/data/amount`. */
  pointer: string;
}

/** What a use case refuses, named by the problem type that tells it to the client. It knows nothing of HTTP. */
export class AppError extends Error {
  override name = "AppError";
  readonly slug: ProblemSlug;
  readonly issues: readonly Issue[];
  /** Further members of the problem, such as `state` or `current_version`. */
  readonly members: Record<string, unknown>;

  constructor(
    slug: ProblemSlug,
    detail: string,
    more: { issues?: readonly Issue[]; members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.slug = slug;
    this.issues = more.issues ?? [];
    this.members = more.members ?? {};
  }
}

/** Content that was understood and cannot be processed, with a pointer to each defect. */
export const validationError = (issues: readonly Issue[]) =>
  new AppError("validation-error", "The content cannot be processed; see `errors`.", { issues });

/** The same answer for what never existed and for what is another tenant's. */
export const notFound = () => new AppError("not-found", "There is no such resource.");
