/** Where a request goes, read from its URL once. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /** The request line and the headers that HTTP itself needs (RFC 9112 §3). */
  opening: string;
}

/**
 * A name and its value as RFC 9110 §5 has them: a token, and nothing that could end the line. Not what the sender says
 * itself: two of those would be two requests for a careless reader.
 */
const FIELD =
  /^(?!(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect):)[\w!#$%&'*+.^`|~-]+: [\t\x20-\x7e\x80-\xff]*$/i;

/** Reads a URL. Null for other than http and https. */
export function targetOf(text: string): Target | null {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return null;
  const path = url.pathname + url.search;
  return {
    origin: url.origin,
    opening: `POST ${path} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`,
  };
}

/** The head of a request, in characters of one byte each. Throws for a header that HTTP does not allow, or not here. */
export function requestHead({ opening }: Target, headers: Record<string, string>, bodyBytes: number): string {
  let head = opening;
  for (const name in headers) {
    const field = `${name}: ${headers[name]}`;
    if (!FIELD.test(field)) throw new TypeError(`The header ${JSON.stringify(name)} cannot be sent.`);
    head += `${field}\r\n`;
  }
  return `${head}content-length: ${bodyBytes}\r\n\r\n`;
}
