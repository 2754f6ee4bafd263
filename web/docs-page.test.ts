import { once } from "node:events";
import { createServer, get, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { docsPage } from "./docs-page.ts";

const server = createServer(docsPage);
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

interface Got {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The answer as it is on the wire: nothing is decompressed. */
function read(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  return new Promise((resolve, reject) => {
    get(origin + path, { headers, method }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
    })
      .on("error", reject)
      .end();
  });
}

/** The scripts that the page loads, in their order. */
async function scripts(): Promise<string[]> {
  const page = (await read("/docs")).bytes.toString();
  return [...page.matchAll(/<script src="([^"]+)"><\/script>/g)].map(([, path = ""]) => path);
}

describe("/docs", () => {
  it("is a page whose policy lets it load our own files alone, and run no script within the page", async () => {
    for (const path of ["/docs", "/docs/", "/docs?x=1"]) {
      const { status, headers, bytes } = await read(path);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const policy = headers["content-security-policy"];
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(bytes.toString()).not.toMatch(/https?:|<script>|\son\w+=/);
    }
  });

  it("loads scripts that are there, which ask for the document of this deployment", async () => {
    const [vendored = "", start = ""] = await scripts();
    expect((await read(vendored)).headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const { bytes } = await read(start);
    expect(bytes.toString()).toContain('"url":"/api/v1/openapi.json"');
    for (const off of ['"withDefaultFonts":false', '"telemetry":false', '"agent":{"disabled":true}'])
      expect(bytes.toString()).toContain(off);
  });

  it("sends the large script compressed to whoever takes that, and in plain to others", async () => {
    const [path = ""] = await scripts();
    const plain = await read(path);
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(plain.bytes.length).toBeGreaterThan(4_000_000);
    for (const accepted of ["gzip", "br, gzip;q=0.5", "deflate, x-gzip"]) {
      const packed = await read(path, { "accept-encoding": accepted });
      expect([packed.headers["content-encoding"], packed.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
      expect(packed.bytes.length).toBeLessThan(1_400_000);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
    }
    for (const refused of ["gzip;q=0", "identity", "br"])
      expect((await read(path, { "accept-encoding": refused })).headers).not.toHaveProperty(
        "content-encoding",
      );
  });

  it("lets the large script be kept for ever, and the page be asked for again by its tag", async () => {
    const [vendored = ""] = await scripts();
    expect((await read(vendored)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const { headers } = await read("/docs");
    expect(headers["cache-control"]).toBe("public, no-cache");
    const again = await read("/docs", { "if-none-match": headers.etag ?? "" });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await read("/docs", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("answers HEAD without a body, other methods with 405, and knows no other files", async () => {
    const head = await read("/docs", {}, "HEAD");
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(Number(head.headers["content-length"])).toBeGreaterThan(100);
    const post = await read("/docs", {}, "POST");
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD"]);
    for (const path of [
      "/docs/..%2fpackage.json",
      "/docs/vendor/scalar/LICENSE",
      "/docs/toString",
      "/docs/x",
    ])
      expect((await read(path)).status).toBe(404);
  });
});
