import { describe, expect, it } from "vitest";
import { errorCodeOf, SendError } from "./send-error.ts";

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

describe("errorCodeOf", () => {
  it.each([
    ["ECONNREFUSED", "connection_refused"],
    ["EHOSTUNREACH", "connection_refused"],
    ["ENETUNREACH", "connection_refused"],
    ["ECONNRESET", "connection_reset"],
    ["EPIPE", "connection_reset"],
    ["ETIMEDOUT", "timeout"],
    ["CERT_HAS_EXPIRED", "tls_expired"],
    ["CERT_NOT_YET_VALID", "tls_not_yet_valid"],
    ["CERT_REVOKED", "tls_revoked"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_self_signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls_self_signed"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_wrong_host"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls_untrusted"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls_untrusted"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls_handshake"],
    ["EPROTO", "tls_handshake"],
    ["EMFILE", "internal"],
    ["EADDRNOTAVAIL", "connection_refused"],
    ["SOMETHING_NEW", "internal"],
  ])("takes %s for %s", (code, expected) => {
    expect(errorCodeOf(coded(code))).toBe(expected);
  });

  it("takes the first failure of several addresses", () => {
    const all = Object.assign(new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]), {
      code: "ECONNREFUSED",
    });
    expect(errorCodeOf(all)).toBe("connection_refused");
  });

  it("takes the sender's own word, and anything else for our failure", () => {
    expect(errorCodeOf(new SendError("address_blocked", "no"))).toBe("address_blocked");
    for (const thrown of [undefined, null, "text", {}, { code: "ECONNRESET" }, new Error("no code")]) {
      expect(errorCodeOf(thrown)).toBe("internal");
    }
  });
});
