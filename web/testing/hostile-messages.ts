import type { ApiCall } from "./api-calls.ts";
import { type HostileCase, headersOf, targetOf } from "./hostile-run.ts";
import {
  HOSTILE_HEADERS,
  HOSTILE_QUERIES,
  HOSTILE_QUERY_VALUES,
  HOSTILE_SEGMENTS,
} from "./hostile-values.ts";
import type { RightRequest } from "./right-request.ts";

const show = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);

/** The right request to another target. */
const to = (right: RightRequest, target: string) => ({
  method: right.method,
  target,
  headers: headersOf(right),
  ...(right.body ? { body: Buffer.from(right.body) } : {}),
});

/** Headers that some calls look at. */
const HEADERS = [
  ...["If-Match", "If-None-Match", "Idempotency-Key", "Prefer", "Accept", "Authorization", "Posthorn-Tenant"],
];
type Header = readonly [name: string, value: string];
/** Headers that no call looks at, or only the server below it; those that change nothing are sent together. */
const OTHER_HEADERS: readonly (readonly Header[])[] = [
  [
    ["X-HTTP-Method-Override", "DELETE"],
    ["X-Forwarded-Host", "evil.example"],
    ["X-Forwarded-Proto", "javascript"],
    ["Forwarded", "for=_;host=evil.example"],
    ["Range", "bytes=0-0,-1"],
    ["Accept-Encoding", "gzip;q=x"],
    ["Accept-Language", "*;q=2"],
    ["traceparent", "00-0-0-0"],
    ["__proto__", "x"],
    ["constructor", "x"],
    ["Upgrade", "h2c"],
  ],
  [["Host", "evil.example"]],
  [["Origin", "null"]],
  [["Cookie", "role=%00; =;;; posthorn.session_token=x"]],
  [["Cookie", "a".repeat(8_000)]],
  [["Content-Encoding", "gzip"]],
  [["Content-Encoding", "identity, br"]],
  [["Expect", "100-continue"]],
  [["Expect", "nothing"]],
  [["Connection", "close"]],
];

// Of a header that the call does not look at, every so manieth value is enough.
const SPARSE = 9;

/** Each header with values that are none. */
export function hostileHeaders({ headers }: ApiCall): HostileCase[] {
  const values = HEADERS.flatMap((name, index) => {
    const isRead = headers.some((read) => read.toLowerCase() === name.toLowerCase());
    const chosen = HOSTILE_HEADERS.filter((_, at) => isRead || (at + index) % SPARSE === 0);
    return chosen.map((value): Header[] => [[name, value]]);
  });
  return [...values, ...OTHER_HEADERS].map((more) => ({
    name: more.map(([name, value]) => `${name}: ${show(value)}`).join(", "),
    spoil(right) {
      const names = more.map(([name]) => name.toLowerCase());
      const others = headersOf(right).filter(([name]) => !names.includes(name.toLowerCase()));
      return { ...to(right, targetOf(right)), headers: [...others, ...more] };
    },
  }));
}

/** Each header twice, and a hundred that nobody knows. */
export function hostileHeaderLists(): HostileCase[] {
  const twice = HEADERS.map((name) => ({
    name: `${name} twice`,
    more: [name, name].map((n) => [n, '"1"'] as const),
  }));
  const many = Array.from({ length: 90 }, (_, at) => [`X-${at}`, "x"] as const);
  return [...twice, { name: "ninety headers more", more: many }].map(({ name, more }) => ({
    name,
    spoil: (right) => ({ ...to(right, targetOf(right)), headers: [...headersOf(right), ...more] }),
  }));
}

/** Each parameter of the path with values that name nothing, or are no text. */
export function hostilePaths({ operation, pathParameters }: ApiCall): HostileCase[] {
  return pathParameters.flatMap((parameter) =>
    HOSTILE_SEGMENTS.map((value) => ({
      name: `${parameter} is ${show(value)}`,
      spoil(right) {
        const filled = Object.entries({ ...right.params, [parameter]: value }).reduce(
          (path, [name, part]) => path.replace(`{${name}}`, () => part),
          operation.path,
        );
        return to(right, `/api/v1${filled}`);
      },
    })),
  );
}

/** Ways to spell the path that a careless router would take for the same, or would trip over. */
export function hostileTargets(): HostileCase[] {
  const spellings: [string, (path: string) => string][] = [
    ["a slash at the end", (path) => `${path}/`],
    ["two slashes", (path) => path.replace("/v1/", "/v1//")],
    ["dots", (path) => path.replace("/v1/", "/v1/x/../")],
    ["encoded dots", (path) => path.replace("/v1/", "/v1/%2e%2e/v1/")],
    ["encoded letters", (path) => path.replace("/v1/", "/v1/%6f")],
    ["capitals", (path) => path.toUpperCase()],
    ["a matrix parameter", (path) => `${path};v=1`],
    ["a fragment", (path) => `${path}#x`],
    ["an extension", (path) => `${path}.json`],
    ["a backslash", (path) => path.replace("/v1/", "/v1\\")],
    ["a NUL", (path) => `${path}%00`],
    ["absolute form", (path) => `http://evil.example${path}`],
    ["another version", (path) => path.replace("/v1/", "/v2/")],
  ];
  return spellings.map(([name, spell]) => ({ name, spoil: (right) => to(right, spell(targetOf(right))) }));
}

/** Queries that the call does not take, and impossible values of those that it does. */
export function hostileQueries({ queryParameters }: ApiCall): HostileCase[] {
  const ofParameters = queryParameters.flatMap(({ name }) => [
    ...HOSTILE_QUERY_VALUES.map((value) => `${name}=${value}`),
    ...[
      name,
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}[a]=1`,
      `${name}=a`.concat(`&${name}=a`.repeat(200)),
    ],
  ]);
  return [...HOSTILE_QUERIES, ...ofParameters].map((query) => ({
    name: `?${show(query)}`,
    spoil: (right) => to(right, `${targetOf(right)}?${query}`),
  }));
}

const METHODS = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"],
  ...["PROPFIND", "LOCK", "COPY", "MOVE", "SEARCH", "PURGE", "REPORT", "LINK", "SUBSCRIBE", "QUERY"],
];

/** Every method that HTTP servers know, but for CONNECT, which is none of a resource. */
export function hostileMethods(): HostileCase[] {
  return METHODS.map((method) => ({
    name: method,
    spoil: (right) => ({ ...to(right, targetOf(right)), method }),
  }));
}
