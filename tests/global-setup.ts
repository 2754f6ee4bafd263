import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "#server/runtime/migrate.ts";
import { openTestServer, type TestServer } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where test files ask for databases: POST makes one and answers its URL, DELETE /<name> drops it. */
    databaseBroker: string;
  }
}

interface Template {
  server: TestServer;
  name: string;
}

/**
 * Runs once around all test files. PostgreSQL is started and migrated when the first test file asks for a database,
 * so a run of pure tests needs none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let opening: Promise<Template> | undefined;
  const broker = createServer(async (request, response) => {
    try {
      opening ??= openTemplate();
      const { server, name } = await opening;
      if (request.method === "DELETE") {
        await server.dropDatabase(request.url?.slice(1) ?? "");
        response.writeHead(204).end();
      } else {
        response.end(await server.createDatabase(server.prefix + randomBytes(6).toString("hex"), name));
      }
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  await once(broker.listen(0, "127.0.0.1"), "listening");
  const { port } = broker.address() as AddressInfo;
  project.provide("databaseBroker", `http://127.0.0.1:${port}`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    const template = await opening?.catch(() => undefined);
    await template?.server.close();
  };
}

async function openTemplate(): Promise<Template> {
  const server = await openTestServer();
  const name = `${server.prefix}template`;
  try {
    await migrateDatabase(await server.createDatabase(name));
  } catch (error) {
    await server.close();
    throw error;
  }
  return { server, name };
}
