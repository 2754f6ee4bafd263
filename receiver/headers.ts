/** Request headers of the Web (`Headers`) or of Node (`request.headers`), or a plain object of them. */
export type HeaderSource =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The value of a header, or undefined. Repeated fields are joined with `, ` as HTTP joins them. */
export function readHeader(headers: HeaderSource, name: string): string | undefined {
  if (isWebHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([key, value]) =>
    value !== undefined && key.toLowerCase() === name ? value : [],
  );
  return values.length === 0 ? undefined : values.join(", ");
}

/** The delivery id and event type that a request names; null where one is missing or malformed. */
export type DeliveryIdentity = { deliveryId: string | null; eventType: string | null };

/** Reads `X-Delivery` and `X-Event`: visible ASCII without a comma (two fields joined), at most 255 characters. */
export function deliveryIdentity(headers: HeaderSource): DeliveryIdentity {
  return {
    deliveryId: identifier(readHeader(headers, "x-delivery")),
    eventType: identifier(readHeader(headers, "x-event")),
  };
}

const IDENTIFIER = /^[\x21-\x2b\x2d-\x7e]{1,255}$/;

function identifier(value: string | undefined): string | null {
  return value !== undefined && IDENTIFIER.test(value) ? value : null;
}

function isWebHeaders(headers: HeaderSource): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}
