import { DEFAULT_LIMIT, MAX_FEED_LIMIT, MAX_LIMIT } from "#contracts/page.ts";
import { PROBLEMS } from "#contracts/problems.ts";
import { API_KEY_SCOPES } from "#contracts/scopes.ts";
import { MAX_BODY_BYTES } from "#server/http/route.ts";
import { md, table } from "./markdown.ts";

/** What holds for every call. */
export const rules = (): string =>
  [AUTHENTICATION, REQUESTS, IDEMPOTENCY, CONDITIONS, LISTS, ERRORS, problems(), LIMITS, VERSIONS].join(
    "\n\n",
  );

const AUTHENTICATION = md`
# Authentication

\`Authorization: Bearer ph_…\`: an API key of one tenant. It is shown once, when it is made; only a hash is stored. A
missing, unknown, revoked or expired key is 401. A key holds scopes, of ${API_KEY_SCOPES.map((scope) => `\`${scope}\``).join(", ")}; a call
that needs another is 403. Each operation below names its scope.

\`Authorization: Bearer posthorn_portal_…\`: the last part of a link to the consumer portal, with the scopes that the link
gives, until it ends or is revoked.

What belongs to another tenant answers as what never existed.
`;

const REQUESTS = md`
# Requests and answers

- Bodies are JSON objects in UTF-8 of at most ${MAX_BODY_BYTES / 1024} KiB (8 MiB for a batch of events) and 32 levels.
- **Requests are strict.** An unknown member of a body is 422 with a pointer to it, an unknown or repeated query
  parameter 400. **Answers may gain members**: ignore those that you do not know.
- Money is a number of major units with no more decimals than its currency has (ISO 4217), and is kept exactly.
- Times are RFC 3339 in UTC with milliseconds. Ids are opaque text, but for the number of an order.
- HEAD answers as GET without the body, OPTIONS 204 with \`Allow\`. Another method on a known path is 405, an unknown
  path 404, both before authentication.
- Every answer has an \`X-Request-Id\`; name it when you ask for help.
`;

const IDEMPOTENCY = md`
# Idempotency

Every POST honours \`Idempotency-Key\`, 1 to 255 visible ASCII characters that you choose; making a cart requires it.
The key, the change and its event are one transaction.

- The same key with the same request gets the first answer again, status, body and \`Location\`, with
  \`Idempotent-Replayed: true\`. Answers are kept for 7 days, refusals decided after validation too.
- The same key with another request is 422 \`idempotency-key-reused\`.
- While the first request is in flight, a second waits up to 2 s, then is 409 \`idempotency-in-progress\` with \`Retry-After\`.
- What failed on our side is not kept: repeat it with the same key.

Use one key for each thing that you want done once, and keep it through your retries. PUT and DELETE need none: they may
be repeated as they are. An event may bring its own \`id\`, \`evt_\` and a UUIDv7, which makes publishing it happen once.
`;

const CONDITIONS = md`
# Versions and conditions

Carts, orders, endpoints and event types have a \`version\` that grows by one on every change. It is their \`ETag\`, in quotes.

- A read with \`If-None-Match: "3"\` is 304 while the version is 3.
- A change with \`If-Match: "3"\` is made if the version is 3, else 412 with \`current_version\`. PATCH and PUT of an order's
  address require it: absent, \`*\` or no quoted number is 428.
- PUT of an event type with \`If-None-Match: *\` makes a new one alone, else 412.
- After a 412 read again, decide again, and repeat. Should the answer to a change have been lost, its repeat can be 412
  although the change was made: the read tells.
`;

const LISTS = md`
# Lists and cursors

A list answers \`{ "items": […], "next_cursor", "prev_cursor", "has_more" }\`, newest first, and with \`Link\` to its
neighbours. \`limit\` is ${DEFAULT_LIMIT} unless you say otherwise; more than ${MAX_LIMIT} is taken as ${MAX_LIMIT}. Send a cursor back as \`after\`, with
the same filters. A cursor is a position and no snapshot, opaque, signed, and good for 72 hours, for your tenant, your key
and that query; anything else is 400 \`invalid-cursor\`.

**The event feed** (\`GET /events\`) runs the other way, oldest first by \`sequence\`, which is contiguous for each tenant and
in the order of commits: whoever follows \`next_cursor\` misses nothing. It is always there, also on an empty page. \`wait\` holds the
request for up to 30 s until something comes, \`limit\` goes up to ${MAX_FEED_LIMIT}. Its cursors last as long as the events do;
behind that 410 \`events-expired\` names \`oldest_cursor\`.
`;

const ERRORS = md`
# Errors

Every refusal is \`application/problem+json\` (RFC 9457): \`type\`, which leads to a page about it, \`title\`, \`status\`,
\`detail\` for people, \`instance\` with the request id, and \`errors\` with a JSON Pointer to each defect of a body. Decide by
the last part of \`type\`, never by the words. Checks are made in this order: 401, 403, 404, 413 and 415, 428, 412, 400 and 422, 409.
`;

const problems = () =>
  table(
    ["status", "type", "what to do"],
    Object.entries(PROBLEMS).map(([slug, { status, help }]) => [
      String(status),
      `[\`${slug}\`](/problems/${slug})`,
      help,
    ]),
  );

const LIMITS = md`
# Limits

Requests are limited for each key, published events for each tenant; \`RateLimit-Policy\` tells the limits and
\`RateLimit\` what is left of them, on every answer to an authenticated call. Beyond them a call is 429 with \`Retry-After\`
in seconds: wait that long, then repeat. Repeat 503 likewise. Without \`Retry-After\` wait twice as long each time, with some
chance in it, and give up after a few times.
`;

const VERSIONS = md`
# Versions of the API

The version is in the path: \`/api/v1\`. Within it things are only added: operations, optional parameters and members,
members of answers, event types. What is to go is marked in this document and tells so in its answers, by \`Deprecation\`
(RFC 9745), \`Sunset\` (RFC 8594) and \`Link\`, at least six months before it stops. The body of a delivery names its
\`api_version\`.
`;
