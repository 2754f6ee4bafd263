import { operations } from "#contracts/index.ts";
import type { Operation } from "#contracts/operation.ts";
import type { Page } from "#contracts/page.ts";
import { follow, itemsOf, pagesOf } from "./pages.ts";
import type { AnyInput } from "./request-of.ts";
import { callOperation, type TransportOptions } from "./transport.ts";
import type {
  Answer,
  Call,
  CallInput,
  CallResult,
  ItemOf,
  ListId,
  OperationId,
  OperationOf,
  PageOf,
} from "./types.ts";

export interface ClientOptions extends Omit<TransportOptions, "init"> {
  /** `ph_…`, an API key of one tenant. */
  apiKey: string;
}

type ListInput<Id extends ListId> = CallInput<OperationOf<Id>>;
type FeedInput = CallInput<OperationOf<"listEvents">>;

interface Helpers {
  /** Makes a call and gives its whole answer: status, headers and ETag beside the body. */
  answer<Id extends OperationId>(
    id: Id,
    input: CallInput<OperationOf<Id>>,
  ): Promise<Answer<CallResult<OperationOf<Id>>>>;
  /** The pages of a list one after the other. `query.after` begins behind that cursor. */
  pages<Id extends ListId>(id: Id, input?: ListInput<Id>): AsyncGenerator<PageOf<Id>>;
  /** The items of a list one after the other, reading pages as needed. */
  items<Id extends ListId>(id: Id, input?: ListInput<Id>): AsyncGenerator<ItemOf<Id>>;
  /**
   * The event feed without end: each page that has events, as soon as there are some. Keep `next_cursor` of a page once
   * its events have been dealt with, and pass it as `query.after` to go on there. Ends by leaving the loop or by `signal`.
   */
  followEvents(input?: FeedInput): AsyncGenerator<PageOf<"listEvents">>;
}

/** One function for each operation of the API, under its id, and some that many need. */
export type Client = { readonly [Id in OperationId]: Call<OperationOf<Id>> } & Helpers;

const WAIT_SECONDS = 20;
const EMPTY_PAUSE_MS = 100;

/**
 * A client of the API, typed from its list of operations. Calls that are safe to repeat are repeated on 429, 503 and
 * when no answer comes: every POST carries an Idempotency-Key, which you may give yourself. What is not a success is
 * thrown as `ApiProblem`.
 */
export function createClient({ apiKey, ...given }: ClientOptions): Client {
  const options = { ...given, headers: { ...given.headers, authorization: `Bearer ${apiKey}` } };
  const known = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));

  const answer = (id: string, input: AnyInput = {}): Promise<Answer<unknown>> => {
    const operation = known.get(id);
    if (!operation) throw new TypeError(`There is no operation ${id}.`);
    return callOperation(options, operation, input);
  };
  const reader =
    (id: string, input: AnyInput = {}) =>
    async (after: string | undefined) =>
      (await answer(id, { ...input, query: { ...input.query, after } })).data as Page<unknown>;
  const start = (input: AnyInput = {}) => input.query?.after as string | undefined;

  const calls = Object.fromEntries(
    [...known.keys()].map((id) => [id, async (input?: AnyInput) => (await answer(id, input)).data]),
  );
  const helpers = {
    answer,
    pages: (id: string, input?: AnyInput) => pagesOf(reader(id, input), start(input)),
    items: (id: string, input?: AnyInput) => itemsOf(reader(id, input), start(input)),
    followEvents(input?: AnyInput) {
      const read = reader("listEvents", { ...input, query: { wait: WAIT_SECONDS, ...input?.query } });
      return follow(read, { after: start(input), signal: input?.signal, pauseMs: EMPTY_PAUSE_MS });
    },
  };
  return Object.freeze({ ...calls, ...helpers }) as unknown as Client;
}
