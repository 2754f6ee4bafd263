/** The client of Posthorn's API. See docs/client.md. */
export { ApiProblem, isPassing } from "./api-problem.ts";
export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export type { RetryOptions } from "./retry.ts";
export type { Answer, CallInput, CallResult, OperationId, OperationOf } from "./types.ts";
