import type { Operation } from "#contracts/operation.ts";
import type { Scope } from "#contracts/scopes.ts";
import { withTransaction } from "#db/client.ts";
import type { Services } from "#server/context.ts";
import { newRootKey, parseRootKeys } from "#server/crypto/keyring.ts";
import type { FindStaff } from "#server/http/authenticate.ts";
import type { ApiResponse } from "#server/http/message.ts";
import { conformance } from "#server/http/openapi/testing-conformance.ts";
import { testDocument } from "#server/http/openapi/testing-document.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import type { ChangeFeed, ChangeFeedDeps } from "#server/live/change-feed.ts";
import { openServices } from "#server/runtime/services.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { createTestDatabase } from "#tests/database.ts";
import { createWebServer, type NodeHandler, type WebServer } from "./server.ts";

/** The API over a real socket and a database of its own, with one tenant and its key. */
export interface TestApi {
  services: Services;
  databaseUrl: string;
  /** What a worker of this database is started with. */
  encryptionKeys: string;
  server: WebServer;
  /** `http://…/api/v1`. */
  base: string;
  tenant: TestTenant;
  addTenant(): Promise<TestTenant>;
  addKey(tenantId: string, scopes?: readonly Scope[]): Promise<string>;
  /** Calls with the key of `tenant` unless `key` says otherwise. A `json` body is sent as application/json. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface TestTenant {
  id: string;
  key: string;
}

export interface CallOptions {
  /** `null` sends none. */
  key?: string | null;
  json?: unknown;
  /** The body as it stands. */
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
}

export interface TestApiOptions {
  findStaff?: FindStaff;
  /** Opens what `/live` hears of changes by; default: there is no `/live`. */
  changes?: (deps: ChangeFeedDeps) => ChangeFeed;
  /** Serves what is left: the console. */
  next?: NodeHandler;
  bodyTimeoutMs?: number;
  headTimeoutMs?: number;
  now?: () => Date;
  /** Requests of a key and events of a tenant per second; default: no limit. */
  rateLimits?: { requests: number; events: number };
}

/** Opens it; every answer is checked against the OpenAPI document, and when it succeeds against its operation's schema. */
export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const encryptionKeys = newRootKey("k1");
  const { services: real, close: closeServices } = await openServices({
    role: "web",
    name: "web-test",
    databaseUrl: database.url,
    rootKeys: parseRootKeys(encryptionKeys),
    allowPrivateTargets: ["127.0.0.0/8"],
    logLevel: "silent",
    ...(options.rateLimits ? { rateLimits: options.rateLimits } : {}),
  });
  const services = { ...real, ...(options.now ? { now: options.now } : {}) };
  const { findStaff, changes } = options;
  const server = await createWebServer({
    services,
    ...(changes ? { changes: changes({ databaseUrl: database.url, log: services.log }) } : {}),
    ...(findStaff
      ? { staff: () => ({ find: findStaff, handle: (_request, response) => void response.end() }) }
      : {}),
    ...(options.next ? { next: options.next } : {}),
    ...(options.headTimeoutMs ? { headTimeoutMs: options.headTimeoutMs } : {}),
    ...(options.bodyTimeoutMs ? { bodyTimeoutMs: options.bodyTimeoutMs } : {}),
    onAnswer: checkAnswer,
  });
  const addKey = async (tenantId: string, scopes?: readonly Scope[]) => {
    const wanted = { tenantId, name: "test", now: new Date(), ...(scopes ? { scopes } : {}) };
    return (await withTransaction(services.db, (tx) => createApiKey(tx, wanted))).key;
  };
  const addTenant = async () => {
    const { id } = await withTransaction(services.db, (tx) =>
      createTenant(tx, { name: "Acme", now: new Date() }),
    );
    return { id, key: await addKey(id) };
  };
  const tenant = await addTenant();
  const base = `${server.origin}/api/v1`;
  const check = conformance(testDocument(server.origin));
  return {
    services,
    databaseUrl: database.url,
    encryptionKeys,
    server,
    base,
    tenant,
    addTenant,
    addKey,
    async call(method, path, call = {}) {
      const answer = await send(method, base + path, { key: tenant.key, ...call });
      const defects = check({ method, path, sent: call.json, ...answer });
      if (defects.length > 0) throw new Error(`${method} ${path}: ${defects.join("; ")}`);
      return answer;
    },
    async close() {
      await server.close(1_000);
      await closeServices();
      await database.drop();
    },
  };
}

async function send(method: string, url: string, { key, json, body, headers }: CallOptions): Promise<Answer> {
  const content = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content as BodyInit }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Throws, which fails the request, when an answer is not what the contract says. */
function checkAnswer(operation: Operation, answer: ApiResponse): void {
  if (answer.status >= 300 || (answer.status === 204 && answer.body === null)) return;
  if (!operation.response || answer.body === null)
    throw new Error(`${operation.id}: an answer without its body`);
  operation.response.parse(JSON.parse(answer.body));
}
