import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, type Demo } from "../fixtures.ts";

/** What a receiver answers to an attempt. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Held back until this resolves. */
  after?: Promise<void>;
}

/** A receiver of the test's own, the only subscriber to an event type that nobody else uses. */
export interface Stage {
  tenantId: string;
  eventType: string;
  /** Host and port of the receiver. */
  host: string;
  /** What it answers from now on. */
  answer: Answer;
  publish(data?: object): Promise<string>;
  /** Publishes that many events at once, up to a thousand in each call. */
  publishMany(count: number): Promise<void>;
  endpointId: string;
  /** The list, narrowed to the stage's event type. */
  listPath: string;
}

/** What asks for a recent sign-in takes one of ten minutes ago, and a story may last for some of them. */
const SESSION_FOR_MS = 4 * 60_000;

/** `test` with a signed-in browser and a stage. */
export const test = base.extend<{ stage: Stage }>({
  storageState: async ({ demo, playwright }, use) => {
    // For tests to come and other workers too: one signs in no oftener than a person may.
    const file = `${process.env.POSTHORN_E2E_DEMO_FILE}.session`;
    const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (madeAt > Date.now() - SESSION_FOR_MS) return use(JSON.parse(readFileSync(file, "utf8")));
    const request = await playwright.request.newContext({ baseURL: demo.origin });
    const { email, password } = demo.console;
    const answer = await request.post("/api/auth/sign-in/email", {
      data: { email, password },
      headers: { origin: demo.origin },
    });
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
    const state = await request.storageState();
    await request.dispose();
    // At once: the other worker may be reading it.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
    await use(state);
  },
  stage: async ({ demo }, use) => {
    const { stage, close } = await openStage(demo);
    await use(stage);
    close();
  },
});

async function openStage(demo: Demo): Promise<{ stage: Stage; close: () => void }> {
  // The quiet tenant: its list changes by what the test does, mostly.
  const tenant = demo.tenants[1];
  if (!tenant) throw new Error("the demo has one tenant only");
  const eventType = `e2e.t${randomBytes(6).toString("hex")}`;
  const server = createServer(async (request: IncomingMessage, response) => {
    request.resume();
    await once(request, "end");
    const { status, headers = {}, body = "", after } = stage.answer;
    await after;
    response.writeHead(status, headers).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async (path: string, body: object) => {
    const answer = await fetch(demo.base_url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.api_key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const endpoint = { url: `http://${host}/hooks?source=e2e`, event_types: [eventType] };
  const stage: Stage = {
    tenantId: tenant.id,
    eventType,
    host,
    answer: { status: 202 },
    publish: async (data = { hello: "world" }) => (await call("/events", { type: eventType, data })).id,
    async publishMany(count) {
      for (let left = count; left > 0; left -= 1_000) {
        const events = Array.from({ length: Math.min(left, 1_000) }, (_, n) => ({
          type: eventType,
          data: { n },
        }));
        await call("/events/batch?atomic=true", { events });
      }
    },
    endpointId: (await call("/webhook-endpoints", endpoint)).id,
    listPath: `/deliveries?type=${eventType}&tenant=${tenant.id}`,
  };
  // Its port stays taken while this process lives: the host of a later stage is one that no endpoint had before.
  const close = () => {
    server.on("connection", (socket) => socket.destroy());
    server.closeAllConnections();
    server.unref();
  };
  return { stage, close };
}

export { expect } from "@playwright/test";
