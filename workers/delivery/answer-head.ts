import { keepHeader } from "./response-headers.ts";
import { badResponse } from "./send-error.ts";

/** How the end of an answer's body is found (RFC 9112 §6.3). */
export type Framing = { kind: "length"; bytes: number } | { kind: "chunked" } | { kind: "close" };

export interface AnswerHead {
  status: number;
  framing: Framing;
  /** Whether the connection may carry another exchange (RFC 9112 §9.3). */
  keepsConnection: boolean;
  /** For how long the peer promises to keep the idle connection; null when it promises nothing. */
  keepAliveMs: number | null;
  /** A harmless few of the headers, and the same as the text of a JSON object. */
  headers: Record<string, string>;
  headersText: string;
}

// One pass of the regular expression engine over the whole head. Each repetition begins with a character that the one
// before it cannot take, so that it never goes back. The reason phrase may be anything: nobody reads it. A server that says
// HTTP/2.0 in the syntax of HTTP/1 means the latter.
const HEAD =
  /^HTTP\/(1\.[01]|2\.0) ([1-9]\d\d)(?: [^\r\n]*)?(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*)*$/;
/** So long a length is far beyond what is read, and still exact. */
const LENGTH = /^\d{1,15}$/;
const KEEP_ALIVE_TIMEOUT = /(?:^|[\s,;])timeout=(\d{1,9})(?:$|[\s,;])/i;

/**
 * Reads the head of an answer, from the status line to before the empty line, as the grammar of RFC 9112 has it: nothing
 * folded, no lone CR or LF, no blank before a colon. Throws `bad_response` for anything else, and where the length of the
 * body is said twice or cannot be believed.
 */
export function parseAnswerHead(text: string): AnswerHead {
  const [, version, code] = HEAD.exec(text) ?? [];
  if (!code) throw badResponse("the answer does not begin as HTTP does");
  const head: AnswerHead = {
    status: Number(code),
    framing: { kind: "close" },
    keepsConnection: false,
    keepAliveMs: null,
    headers: {},
    headersText: "",
  };
  let length: string | null = null;
  let coding: string | null = null;
  let connection = "";
  for (let at = text.indexOf("\r\n"); at !== -1; ) {
    const colon = text.indexOf(":", at);
    const next = text.indexOf("\r\n", colon);
    const name = text.slice(at + 2, colon).toLowerCase();
    const value = withoutBlanks(text, colon + 1, next === -1 ? text.length : next);
    at = next;
    if (name === "content-length") {
      if (length !== null) throw badResponse("the answer has two lengths");
      length = value;
    } else if (name === "transfer-encoding") {
      coding = coding === null ? value : `${coding},${value}`;
    } else if (name === "connection") {
      connection += `,${value}`;
    } else if (name === "keep-alive") {
      head.keepAliveMs = timeoutOf(value);
    }
    keepHeader(head.headers, name, value);
  }
  head.headersText = JSON.stringify(head.headers);
  head.framing = framingOf(head.status, length, coding);
  head.keepsConnection = head.framing.kind !== "close" && isKept(version === "1.1", connection);
  return head;
}

/** Reads one head, as `parseAnswerHead` does. What it gives may be given again. */
export type ParseHead = (text: string) => Readonly<AnswerHead>;

const MAX_KEPT_LENGTH = 1024;

/** Gives what reads the heads of one peer's answers, and keeps the last: those of a second are often headed alike. */
export function headParser(): ParseHead {
  let last: { text: string; head: AnswerHead } | undefined;
  return (text) => {
    if (last?.text === text) return last.head;
    const head = parseAnswerHead(text);
    if (text.length <= MAX_KEPT_LENGTH) last = { text, head };
    return head;
  };
}

/** `close` counts whatever else is said; without either, HTTP/1.1 keeps its connections (RFC 9112 §9.3). */
function isKept(byDefault: boolean, connection: string): boolean {
  if (connection === "") return byDefault;
  const options = connection
    .toLowerCase()
    .split(",")
    .map((option) => option.trim());
  return !options.includes("close") && (byDefault || options.includes("keep-alive"));
}

function timeoutOf(value: string): number | null {
  const [, seconds] = KEEP_ALIVE_TIMEOUT.exec(value) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

function framingOf(status: number, length: string | null, coding: string | null): Framing {
  if (coding !== null && length !== null) throw badResponse("the answer has a length and a transfer coding");
  if (length !== null && !LENGTH.test(length)) throw badResponse("the answer has no usable length");
  if (status < 200 || status === 204 || status === 304) return { kind: "length", bytes: 0 };
  if (coding !== null) return isChunked(coding) ? { kind: "chunked" } : { kind: "close" };
  return length === null ? { kind: "close" } : { kind: "length", bytes: Number(length) };
}

/** Whether the last of the transfer codings is `chunked`; no other tells where the body ends. */
function isChunked(coding: string): boolean {
  return withoutBlanks(coding, coding.lastIndexOf(",") + 1, coding.length).toLowerCase() === "chunked";
}

/** What is between two places of a text, without the spaces and tabs around it: `trim` would take more than those away. */
function withoutBlanks(text: string, from: number, to: number): string {
  let [first, end] = [from, to];
  while (first < end && isBlank(text.charCodeAt(first))) first++;
  while (end > first && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(first, end);
}

const isBlank = (code: number) => code === 0x20 || code === 0x09;
