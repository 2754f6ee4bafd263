import { createHash } from "node:crypto";
import * as z from "zod";
import { operations } from "#contracts/index.ts";
import { operation } from "#contracts/operation.ts";
import { VERSION } from "#server/runtime/version.ts";
import { parseQuery } from "../input.ts";
import type { ApiResponse } from "../message.ts";
import type { ApiDeps, Route } from "../route.ts";
import { openApiDocument } from "./document.ts";

const MAX_AGE_SECONDS = 300;

const getOpenApi = operation({
  id: "getOpenApi",
  tag: "Documentation",
  method: "GET",
  path: "/openapi.json",
  summary: "Read this description of the API",
  scope: null,
  response: z.looseObject({ openapi: z.string() }),
  status: 200,
});

/** The answer of each API that runs in this process: made when it is first asked for. */
const made = new WeakMap<ApiDeps, ApiResponse>();

/** Describes the API to everybody: it asks nobody who they are, so that it is no operation of the contract. */
export const openApiRoute: Route = {
  operation: getOpenApi,
  async answer(deps, { prefix, query }) {
    parseQuery(undefined, query);
    const answer = made.get(deps) ?? describe(deps.origin, prefix);
    made.set(deps, answer);
    return answer;
  },
};

function describe(origin: string, prefix: string): ApiResponse {
  const body = JSON.stringify(openApiDocument({ operations, origin, prefix, version: VERSION }));
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "cache-control": `public, max-age=${MAX_AGE_SECONDS}`,
      etag: `"${createHash("sha256").update(body).digest("base64url")}"`,
    },
    body,
  };
}
