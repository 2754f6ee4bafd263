import { operations } from "#contracts/index.ts";
import { openApiDocument } from "./document.ts";
import { OpenApi } from "./testing-structure.ts";

/** The document of the whole API, seen to be OpenAPI 3.1. */
export function testDocument(origin = "https://posthorn.example"): OpenApi {
  return OpenApi.parse(openApiDocument({ operations, origin, prefix: "/api/v1", version: "1.2.3" }));
}
