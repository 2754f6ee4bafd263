import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { getDelivery, listDeliveries, replayDelivery } from "#contracts/deliveries.ts";
import { putEventType } from "#contracts/event-types.ts";
import { ApiProblem, isPassing } from "#sdk/api-problem.ts";
import { call, callText, readAll } from "./api.ts";
import { actByToken } from "./credentials.ts";
import { makeDelivery, testId } from "./testing/make.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(answer: Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const failure = async (work: Promise<unknown>): Promise<ApiProblem> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiProblem) return error;
  throw new Error(`not an ApiProblem: ${String(error)}`);
};

describe("call", () => {
  it("fills the path, repeats list parameters, leaves out absent ones and names the tenant", async () => {
    const seen: { url?: string; tenant?: unknown }[] = [];
    const origin = await serve((request, response) => {
      seen.push({ url: request.url, tenant: request.headers["posthorn-tenant"] });
      json(response, 200, { items: [], next_cursor: null, prev_cursor: null, has_more: false });
    });

    const query = { status: ["failed" as const, "pending" as const], q: undefined, limit: 5 };
    await call(listDeliveries, { tenantId: testId("tenant"), query }, origin);

    expect(seen).toEqual([
      { url: "/api/v1/deliveries?status=failed&status=pending&limit=5", tenant: testId("tenant") },
    ]);
  });

  it("shows the token of a portal, and names no tenant, until that is taken back", async () => {
    const seen: unknown[] = [];
    const origin = await serve(({ headers }, response) => {
      seen.push([headers.authorization, headers["posthorn-tenant"]]);
      json(response, 200, makeDelivery());
    });
    const input = { tenantId: testId("tenant"), params: { id: testId("delivery") } };

    const stop = actByToken("posthorn_portal_x");
    await call(getDelivery, input, origin);
    await callText(getDelivery, input, origin);
    stop();
    await call(getDelivery, input, origin);

    expect(seen).toEqual([
      ["Bearer posthorn_portal_x", undefined],
      ["Bearer posthorn_portal_x", undefined],
      [undefined, testId("tenant")],
    ]);
  });

  it("escapes whatever stands in an id", async () => {
    const urls: (string | undefined)[] = [];
    const origin = await serve((request, response) => {
      urls.push(request.url);
      json(response, 200, makeDelivery());
    });

    await call(getDelivery, { params: { id: "../orders?x=1" } }, origin);

    expect(urls).toEqual(["/api/v1/deliveries/..%2Forders%3Fx%3D1"]);
  });

  it("sends the idempotency key of a replay and gives the delivery", async () => {
    const keys: unknown[] = [];
    const delivery = makeDelivery({ status: "pending" });
    const origin = await serve((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      json(response, 202, delivery);
    });

    const answer = await call(replayDelivery, { params: { id: delivery.id }, idempotencyKey: "k-1" }, origin);

    expect(answer).toEqual(delivery);
    expect(keys).toEqual(["k-1"]);
  });

  it("throws a problem with its words, its type and the request id", async () => {
    const problem = {
      type: "https://posthorn.example/problems/state-conflict",
      title: "State conflict",
      status: 409,
      detail: "The delivery is in flight.",
    };
    const origin = await serve((_request, response) =>
      json(response, 409, problem, { "content-type": "application/problem+json", "x-request-id": "r-7" }),
    );

    const error = await failure(call(replayDelivery, { params: { id: "dlv" } }, origin));

    expect(error).toMatchObject({
      status: 409,
      slug: "state-conflict",
      title: "State conflict",
      detail: "The delivery is in flight.",
      requestId: "r-7",
    });
    expect(isPassing(error)).toBe(false);
  });

  it("tells how long to wait when there are too many requests", async () => {
    const origin = await serve((_request, response) =>
      json(response, 429, { title: "Rate limited" }, { "retry-after": "3" }),
    );

    const error = await failure(call(getDelivery, { params: { id: "dlv" } }, origin));

    expect(error.retryAfterMs).toBe(3_000);
    expect(isPassing(error)).toBe(true);
  });

  it("understands an error page of something in between", async () => {
    const origin = await serve((_request, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
    );

    const error = await failure(call(getDelivery, { params: { id: "dlv" } }, origin));

    expect(error).toMatchObject({ status: 502, title: "The server answered with status 502" });
    expect(error.detail).not.toContain("<h1>");
  });

  it("refuses a success that cannot be read", async () => {
    const origin = await serve((_request, response) => response.writeHead(200).end("<html>"));

    const error = await failure(call(getDelivery, { params: { id: "dlv" } }, origin));

    expect(error).toMatchObject({ status: 0, detail: "The server answered with something unreadable." });
  });

  it("says that the server cannot be reached when nothing listens", async () => {
    const origin = await serve(() => undefined);
    for (const close of closing.splice(0)) await close();

    const error = await failure(call(getDelivery, { params: { id: "dlv" } }, origin));

    expect(error).toMatchObject({ status: 0, title: "The server cannot be reached" });
  });

  it("rejects with the caller's own abort", async () => {
    const origin = await serve(() => undefined);
    const stop = new AbortController();

    const work = call(getDelivery, { params: { id: "dlv" }, signal: stop.signal }, origin);
    stop.abort();

    await expect(work).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("readAll", () => {
  const pages = (count: number) => (after: string | undefined) => {
    const index = Number(after ?? 0);
    const more = index + 1 < count;
    const page = {
      items: [index],
      next_cursor: more ? String(index + 1) : null,
      prev_cursor: null,
      has_more: more,
    };
    return Promise.resolve(page);
  };

  it("reads page after page", async () => {
    expect(await readAll(pages(3), 10)).toEqual([0, 1, 2]);
  });

  it("stops at the last page that is allowed", async () => {
    expect(await readAll(pages(9), 4)).toEqual([0, 1, 2, 3]);
  });
});

describe("callText", () => {
  it("takes and gives JSON letter for letter", async () => {
    const sent: string[] = [];
    const origin = await serve((request, response, body) => {
      const { "content-type": type, "if-match": version } = request.headers;
      sent.push(`${request.method} ${request.url} ${type} ${version} ${body}`);
      response.writeHead(200, { "content-type": "application/json" }).end('{"n": 12345678901234567890.10}');
    });

    const input = { tenantId: testId("tenant"), params: { name: "a.b" }, query: { dry_run: "true" } };
    const more = { body: '{"schema":{"maximum":1.0}}', headers: { "if-match": '"7"' } };
    const text = await callText(putEventType, { ...input, ...more }, origin);

    expect(text).toBe('{"n": 12345678901234567890.10}');
    expect(sent).toEqual([
      'PUT /api/v1/event-types/a.b?dry_run=true application/json "7" {"schema":{"maximum":1.0}}',
    ]);
  });
});
