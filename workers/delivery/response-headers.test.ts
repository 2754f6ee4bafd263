import { describe, expect, it } from "vitest";
import { keptHeaders } from "./response-headers.ts";

describe("keptHeaders", () => {
  it("keeps what explains an answer and drops everything else", () => {
    expect(
      keptHeaders({
        "content-type": "application/json",
        "retry-after": "120",
        "x-request-id": "r1",
        "set-cookie": ["session=secret"],
        authorization: "Bearer secret",
        "www-authenticate": "Basic",
        "x-internal-host": "10.0.0.1",
        __proto__: "x",
      }),
    ).toEqual({ "content-type": "application/json", "retry-after": "120", "x-request-id": "r1" });
  });

  it("joins repeated headers, cuts long ones and replaces what cannot be printed", () => {
    const { via, server, location } = keptHeaders({
      via: "1.1 a, 1.1 b",
      server: "caf\u00e9\u0000\ttab",
      location: `https://example.com/${"x".repeat(1000)}`,
    });
    expect(via).toBe("1.1 a, 1.1 b");
    expect(server).toBe("caf???tab");
    expect(location).toHaveLength(256);
  });
});
