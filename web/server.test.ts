import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { PROBLEMS } from "#contracts/problems.ts";
import { openTestApi, type TestApi } from "./test-support.ts";

async function withApi(work: (api: TestApi) => Promise<void>): Promise<void> {
  const api = await openTestApi();
  try {
    await work(api);
  } finally {
    await api.close();
  }
}

describe("beside the API", () => {
  it("tells that it lives and that it is ready, until the queue is gone", () =>
    withApi(async ({ server, services }) => {
      const status = async (path: string) => (await fetch(server.origin + path)).status;
      expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
      await services.db.query("alter schema pgboss rename to gone");
      expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 503]);
      await services.db.query("alter schema gone rename to pgboss");
    }));

  it("has a page for every problem type", () =>
    withApi(async ({ server }) => {
      for (const [slug, { title }] of Object.entries(PROBLEMS)) {
        const page = await fetch(`${server.origin}/problems/${slug}`);
        expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
        expect(await page.text()).toContain(`<h1>${title}</h1>`);
      }
      const index = await (await fetch(`${server.origin}/problems/`)).text();
      for (const slug of Object.keys(PROBLEMS)) expect(index).toContain(`href="/problems/${slug}"`);
      for (const path of ["/problems/nothing", "/problems/toString", "/nothing"])
        expect((await fetch(server.origin + path)).status, path).toBe(404);
    }));
});

describe("a stop", () => {
  it("ends waits with an answer, lets requests finish and takes no more", () =>
    withApi(async ({ base, server, tenant }) => {
      const headers = { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" };
      const body = JSON.stringify({ CustomerId: "c", Total: 1, Currency: "EUR" });
      const waiting = fetch(`${base}/events?wait=30`, { headers });
      const slow = httpRequest(`${base}/orders`, { method: "POST", headers });
      const answered = new Promise<number | undefined>((resolve, reject) => {
        slow.on("response", (response) => resolve(response.resume().statusCode));
        slow.on("error", reject);
      });
      await new Promise((resolve) => slow.write(body.slice(0, 10), resolve));
      // A second request over the same server is answered after the first has arrived.
      await (await fetch(`${base}/orders`, { headers })).text();

      const started = performance.now();
      const closed = server.close(5_000);
      expect((await (await waiting).json()).items).toEqual([]);
      slow.end(body.slice(10));
      expect(await answered).toBe(201);
      await closed;
      expect(performance.now() - started).toBeLessThan(4_000);
      await expect(fetch(`${base}/orders`, { headers })).rejects.toThrow();
    }));

  it("cuts what does not end in time", () =>
    withApi(async ({ base, server, tenant }) => {
      const headers = { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" };
      const stuck = httpRequest(`${base}/orders`, { method: "POST", headers });
      const cut = new Promise((resolve) => stuck.on("error", resolve));
      await new Promise((resolve) => stuck.write("{", resolve));
      await (await fetch(`${base}/orders`, { headers })).text();
      await server.close(100);
      expect(await cut).toMatchObject({ code: "ECONNRESET" });
    }));
});
