import { describe, expect, it } from "vitest";
import { requestHead, targetOf } from "./request-head.ts";

function headTo(url: string, headers: Record<string, string> = {}): string {
  const target = targetOf(url);
  if (!target) throw new Error(`no target: ${url}`);
  return requestHead(target, headers, 7);
}

describe("a target", () => {
  it.each([
    ["https://a.example", "/", "a.example", "https://a.example"],
    ["https://A.example:443/x?y=1#z", "/x?y=1", "a.example", "https://a.example"],
    [
      "http://user:pass@a.example:8080/%20 ü?ü",
      "/%20%20%C3%BC?%C3%BC",
      "a.example:8080",
      "http://a.example:8080",
    ],
    ["http://[::1]:81/", "/", "[::1]:81", "http://[::1]:81"],
    ["https://a.example/a\r\nb\tc", "/abc", "a.example", "https://a.example"],
  ])("is read from %j", (url, path, host, origin) => {
    expect(targetOf(url)?.origin).toBe(origin);
    expect(headTo(url)).toBe(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncontent-length: 7\r\n\r\n`,
    );
  });

  it.each(["", "a.example", "ftp://a.example/", "javascript:1", "http://"])("is not %j", (url) => {
    expect(targetOf(url)).toBeNull();
  });
});

describe("a header", () => {
  it("is sent as it is", () => {
    const headers = { "X-A": "b c\t\xe9", "x-empty": "", "!#$%&'*+-.^_`|~09aZ": "x" };
    expect(headTo("http://a.example/", headers).split("\r\n").slice(3, 6)).toEqual([
      "X-A: b c\t\xe9",
      "x-empty: ",
      "!#$%&'*+-.^_`|~09aZ: x",
    ]);
  });

  it.each([
    ["x-a", "line\r\nbreak: 1"],
    ["x-a", "line\n"],
    ["x-a", "nul\0"],
    ["x-a", "not one byte: \u010a"],
    ["bad name", "1"],
    ["bad\r\nname", "1"],
    ["bad:name", "1"],
    ["", "1"],
    ["Content-Length", "3"],
    ["transfer-encoding", "chunked"],
    ["HOST", "b.example"],
    ["connection", "close"],
    ["expect", "100-continue"],
    ["upgrade", "h2c"],
  ])("cannot be %j: %j", (name, value) => {
    expect(() => headTo("http://a.example/", { [name]: value })).toThrow("cannot be sent");
  });

  it("is not taken for one that only begins like it", () => {
    expect(headTo("http://a.example/", { "Host-Id": "1" })).toContain("Host-Id: 1\r\n");
  });
});
