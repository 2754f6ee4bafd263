/** What is true of the whole API, in Markdown. */
export const DESCRIPTION = `Posthorn stores events and delivers them to webhook endpoints, signed, with retries, until they are there.

**Authentication.** \`Authorization: Bearer ph_…\`: an API key of one tenant. What belongs to another tenant answers as what never existed.

**Requests** are strict: an unknown member of a body is 422 with a pointer to it, an unknown or repeated query parameter 400. **Answers may gain members**; ignore those that you do not know.

**Methods.** HEAD answers as GET without the body, OPTIONS answers 204 with \`Allow\`. Another method on a known path is 405, an unknown path 404, both before authentication.

**Errors** are \`application/problem+json\` (RFC 9457). \`type\` names the kind and leads to a page about it; \`instance\` carries the request id, which is in \`X-Request-Id\` too.

**Versions.** What has a \`version\` carries it as its \`ETag\`. \`If-None-Match\` on a read gives 304; \`If-Match\` on a change gives 412 once the version is another.

**Idempotency.** Every POST honours \`Idempotency-Key\`. The key, the change and its event are one transaction, and the first answer is kept for 7 days. A repeat with other content is 422, one while the first is in flight 409.

**Lists** are pages of \`limit\` items. \`next_cursor\` and \`prev_cursor\` go into \`after\`; a cursor is good for the query that made it, for 72 hours. The event feed runs the other way, oldest first, and its cursors last as long as its events.

**Limits.** Each key may make so many requests a second and twice as many at once, and each tenant publish so many events. \`RateLimit-Policy\` and \`RateLimit\` tell of the limit that a call counts against; past it the answer is 429 with \`Retry-After\`, and nothing was done.

**Times** are RFC 3339 in UTC with milliseconds. Ids are opaque text, but for the number of an order.
`;
