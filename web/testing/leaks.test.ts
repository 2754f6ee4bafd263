import { describe, expect, it } from "vitest";
import { leaks } from "./leaks.ts";

const refusal = (detail: string) => ({
  status: 500,
  headers: new Headers(),
  text: JSON.stringify({ detail }),
});
const request = { method: "POST", target: "/api/v1/orders", headers: [["Prefer", "x"]] as const };

describe("leaks", () => {
  it.each([
    "TypeError: x is not a function\n    at handle (/srv/app/server/http/api.ts:12:3)",
    "Cannot read properties of undefined (reading 'id')",
    "/srv/app/node_modules/pg/lib/client.js",
    'relation "orders" does not exist',
    'duplicate key value violates unique constraint "orders_pkey"',
    'invalid input syntax for type uuid: "x"',
    'invalid byte sequence for encoding "UTF8": 0x00',
    "select id from orders where tenant_id = $1",
    "insert into orders values ($1)",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "[object Object]",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "ph_live_abcdefgh_0123456789",
  ])("finds %j", (detail) => {
    expect(leaks(refusal(detail), request)).not.toEqual([]);
  });

  it.each([
    "There is no such resource.",
    "The body is nested deeper than 32 levels.",
    "must be whsec_ and the base64 of 24 to 64 bytes",
    'Send If-Match with the quoted version, such as If-Match: "7"; the ETag of a read is that.',
    "Select another endpoint.",
  ])("lets %j pass", (detail) => {
    expect(leaks(refusal(detail), request)).toEqual([]);
  });

  it("does not count what the request has said itself, or what success shows", () => {
    const own = { ...request, target: "/api/v1/orders?node_modules=1" };
    expect(leaks(refusal("There is no query parameter node_modules."), own)).toEqual([]);
    expect(leaks({ ...refusal("TypeError"), status: 201 }, request)).toEqual([]);
  });
});
