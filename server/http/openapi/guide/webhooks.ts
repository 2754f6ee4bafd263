import { BREAKER_TABLE, FIRST_OPEN_SECONDS, LONGEST_OPEN_SECONDS } from "#contracts/circuit-breaker.ts";
import { DISABLE_TABLE } from "#contracts/endpoint-health.ts";
import { OUTCOME_TABLE } from "#contracts/outcomes.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "#server/domain/retry-schedule.ts";
import { EXAMPLE_EVENT, EXAMPLE_SECRET, exampleHeaders } from "../delivery-example.ts";
import { OUTCOME_MEANINGS } from "../receiver-answers.ts";
import { md, sh, table } from "./markdown.ts";

/** How deliveries come, how they are verified, and what becomes of an answer. `version` is that of Posthorn. */
export const webhooksGuide = (version: string): string =>
  [
    ...[DELIVERIES, VERIFYING, example(version), RETRIES, schedule(), outcomes()],
    ...[BREAKER, breaker(), HEALTH, disabling()],
  ].join("\n\n");

const DELIVERIES = md`
# Receiving deliveries

A delivery is a POST to your URL with the event as its body: \`{"id","type","timestamp","sequence","api_version","data"}\`,
the same bytes on every attempt. \`X-Delivery\` is the id of the delivery, the same on every attempt and replay, \`X-Event\`
the type, \`X-Attempt\` the number of the attempt. Deliveries come **at least once and in no order**, so:

1. Verify the signature over the raw bytes, before anything is parsed. If it is wrong, answer 401.
2. Store the event under its delivery id, with a unique constraint. If it is there already, answer 200.
3. Answer 2xx, 202 say, within the timeout of the endpoint (15 s unless you set it). Process afterwards.
4. Apply an event only if it is newer than what you know: \`sequence\` and the \`version\` in \`data\` tell.
5. Now and then read the event feed from where you left it, and take in what you have not got.

An endpoint that is \`ordered\` gets one delivery after the other, in the order of \`sequence\`.
`;

const VERIFYING = md`
## Verifying

\`X-Signature\` is made with the key that \`X-Signature-Key-Id\` names, in the endpoint's \`signature_format\`:

| format | header | signed |
| --- | --- | --- |
| \`hex\` | 64 lowercase hex digits | the raw body |
| \`sha256\` | \`sha256=\` and the digits | the raw body |
| \`timestamped\` | \`t=<unix>,kid=<key id>,v1=<digits>\` | \`<unix>.<raw body>\` |

It is HMAC-SHA256, and its key is the secret as it is displayed, \`whsec_\` included. Compare in constant time, and refuse
what \`X-Signature-Timestamp\` says is older than 5 minutes. While a secret is rotated, keep both and choose by the key id.

The headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` are those of Standard Webhooks 1.0, for its libraries;
an endpoint that is \`asymmetric\` has a \`v1a\` signature in them, which its \`public_key\` verifies.
`;

function example(version: string): string {
  const body = JSON.stringify(EXAMPLE_EVENT);
  return [
    "Try it: this prints the `X-Signature` of the delivery that is shown under *Any event* below.",
    sh`
printf '%s' '${body}' |
  openssl dgst -sha256 -hmac '${EXAMPLE_SECRET}'   # ${exampleHeaders(version)["X-Signature"]}
`,
  ].join("\n\n");
}

const RETRIES = md`
## Retries

What your answer leads to is one table, the same that the sender and the console go by. A redirect is never followed, and of
a body 16 KiB are read. What has failed for good stays in the log and can be replayed.
`;

function schedule(): string {
  const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => readable(retryDelayMs(index + 1)));
  return `On the full schedule there are ${MAX_ATTEMPTS} attempts, after pauses of ${delays.join(", ")}, each up to a fifth shorter or longer. An endpoint may have its own \`retry_policy\`: fewer or more attempts, other pauses.`;
}

function readable(ms: number): string {
  const units: [number, string][] = [
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
  ];
  const [size, unit] = units.find(([size]) => ms >= size * 2) ?? [1000, "s"];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
}

const BREAKER = md`
## Circuit breaker

An endpoint that fails again and again is sent nothing for a while: what is queued waits, and loses no attempt meanwhile. After
${FIRST_OPEN_SECONDS} s, each time twice as long, up to ${LONGEST_OPEN_SECONDS} s, or when \`Retry-After\` says, one delivery tries whether it
is back; of an endpoint that is \`ordered\` the first in line. A test event, and a delivery that somebody replays, try at once. An answer
closes the breaker, as do enabling the endpoint and giving it another URL. \`circuit_breaker\` in its stats tells.
`;

const breaker = () =>
  table(
    ["answer or failure", "what the breaker makes of it", "why"],
    Object.entries(BREAKER_TABLE).map(([verdict, { what, why }]) => [
      OUTCOME_TABLE.filter((row) => row.breaker === verdict)
        .map(({ when }) => when)
        .join("; "),
      what,
      why,
    ]),
  );

const HEALTH = md`
## Endpoints that fail

Half and three quarters of the way to being disabled \`posthorn.endpoint.failing\` is published, then
\`posthorn.endpoint.disabled\`; of each delivery that has failed for good \`posthorn.delivery.failed\`, and of a signing key a
day before it expires \`posthorn.secret.expiring\`. They are in the feed, and go to endpoints that ask for them by name or by
\`posthorn.*\`; \`*\` does not cover them. Enabling an endpoint, or giving it another URL, begins anew.
`;

const disabling = () =>
  table(
    ["disabled_reason", "disabled after", "why"],
    Object.entries(DISABLE_TABLE).map(([reason, { when, why }]) => [`\`${reason}\``, when, why]),
  );

const outcomes = () =>
  table(
    ["answer or failure", "what happens", "why"],
    OUTCOME_TABLE.map(({ when, outcome, why, minDelayMs, honoursRetryAfter }) => {
      const wait = minDelayMs === undefined ? "" : ` Not before ${minDelayMs / 1000} s.`;
      const asked = honoursRetryAfter ? " `Retry-After` is honoured, up to a day." : "";
      return [when, OUTCOME_MEANINGS[outcome] + wait + asked, why];
    }),
  );
