import { describe, expect, it } from "vitest";
import { keepHeader } from "./response-headers.ts";

function keptOf(...headers: readonly [name: string, value: string][]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) keepHeader(kept, name, value);
  return kept;
}

describe("keepHeader", () => {
  it("keeps what explains an answer and drops everything else", () => {
    expect(
      keptOf(
        ["content-type", "application/json"],
        ["retry-after", "120"],
        ["x-request-id", "r1"],
        ["set-cookie", "session=secret"],
        ["authorization", "Bearer secret"],
        ["www-authenticate", "Basic"],
        ["x-internal-host", "10.0.0.1"],
        ["__proto__", "x"],
      ),
    ).toEqual({ "content-type": "application/json", "retry-after": "120", "x-request-id": "r1" });
  });

  it("joins repeated headers, cuts long ones and replaces what cannot be printed", () => {
    const { via, server, location } = keptOf(
      ["via", "1.1 a"],
      ["via", "1.1 b"],
      ["server", "caf\u00e9\u0000\ttab"],
      ["location", `https://example.com/${"x".repeat(1000)}`],
    );
    expect(via).toBe("1.1 a, 1.1 b");
    expect(server).toBe("caf???tab");
    expect(location).toHaveLength(256);
  });
});
