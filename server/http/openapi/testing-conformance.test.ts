import { describe, expect, it } from "vitest";
import { conformance, type Exchange } from "./testing-conformance.ts";
import { testDocument } from "./testing-document.ts";

const document = testDocument();
const defects = conformance(document);
const order = document.components.schemas.Order?.examples?.[0] as Record<string, unknown>;
const alike = { "x-request-id": "01991f6e-4c2a-4cc3-9d0e-2f7a6b1c5d84", "cache-control": "no-store" };

function exchange(more: Partial<Exchange> & { fields?: Record<string, string> }): Exchange {
  const { fields = { etag: '"1"' }, json = order, ...rest } = more;
  const headers = new Headers({ ...alike, "content-type": "application/json", ...fields });
  return {
    method: "GET",
    path: "/orders/7",
    status: 200,
    headers,
    text: JSON.stringify(json),
    json,
    ...rest,
  };
}

function problem(slug: string, more: Partial<Exchange> & { fields?: Record<string, string> }): Exchange {
  const example = document.components.examples[slug];
  const { fields, ...rest } = more;
  return exchange({
    fields: { "content-type": "application/problem+json", ...fields },
    json: example?.value,
    ...rest,
  });
}

describe("conformance", () => {
  it("finds nothing wrong with what the document says", () => {
    expect(defects(exchange({}))).toEqual([]);
    expect(defects(problem("not-found", { status: 404 }))).toEqual([]);
    expect(defects(exchange({ method: "HEAD", text: "", json: undefined }))).toEqual([]);
    const allow = { allow: "GET, HEAD, OPTIONS" };
    expect(defects(problem("method-not-allowed", { method: "DELETE", status: 405, fields: allow }))).toEqual(
      [],
    );
    expect(defects(exchange({ path: "/nothing", status: 404, fields: {} }))).toEqual([]);
  });

  it.each<[string, Exchange, string[]]>([
    ["status", problem("state-conflict", { status: 409 }), ["409 is not told"]],
    ["problem", problem("state-conflict", { status: 404 }), ["the problem state-conflict is not told"]],
    ["header that is missing", exchange({ fields: {} }), ["the header ETag is missing"]],
    [
      "header that is not told",
      exchange({ fields: { etag: '"1"', location: "/api/v1/orders/7" } }),
      ["the header Location is not told"],
    ],
    ["malformed header", exchange({ fields: { etag: "1" } }), [expect.stringContaining("the header ETag")]],
    [
      "media type",
      exchange({ fields: { etag: '"1"', "content-type": "text/html" } }),
      ["a body of text/html is not told"],
    ],
    ["member", exchange({ json: { ...order, status: "lost" } }), [expect.stringContaining("status: ")]],
    ["parameter", exchange({ path: "/orders/7?x=1" }), ["the parameter x is not told"]],
  ])("finds a wrong %s", (_name, wrong, found) => {
    expect(defects(wrong)).toEqual(found);
  });

  it("finds what the API took and the document does not let a client send", () => {
    const made = { etag: '"1"', location: "/api/v1/orders/7" };
    const sent = { CustomerId: "c", Total: 1, Currency: "EUR" };
    const create = { method: "POST", path: "/orders", status: 201, fields: made };
    expect(defects(exchange({ ...create, sent }))).toEqual([]);
    expect(defects(exchange({ ...create, sent: { ...sent, x: 1 } }))).toEqual([
      expect.stringContaining("sent"),
    ]);
  });
});
