import { ApiProblem } from "#sdk/api-problem.ts";

/** Asks whoever sits here to prove who they are; rejects when they would rather not. */
type Ask = () => Promise<void>;

let ask: Ask | undefined;
/** One question for all calls that wait for its answer. */
let asked: Promise<void> | undefined;

/** Says how to ask; gives what takes that back. */
export function askBy(wanted: Ask): () => void {
  ask = wanted;
  return () => {
    if (ask === wanted) ask = undefined;
  };
}

/**
 * Makes a call; when it is refused for want of a recent sign-in, asks for a proof in place and makes it once more:
 * nothing was done the first time. Whoever declines sees the refusal.
 */
export async function withReauthentication<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAsked(error) || !ask) throw error;
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    try {
      await asked;
    } catch {
      throw error;
    }
    return work();
  }
}

/** What the API and what sign-in say of it. */
const isAsked = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  (error.slug === "reauthentication-required" || error.code === "REAUTHENTICATION_REQUIRED");
