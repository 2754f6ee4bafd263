import { describe, expect, it } from "vitest";
import { operations } from "#contracts/index.ts";
import { openApiDocument } from "#server/http/openapi/document.ts";
import { lintOpenApi } from "./lint-openapi.ts";

const clean = () =>
  JSON.parse(
    JSON.stringify(
      openApiDocument({
        operations,
        origin: "https://posthorn.example",
        prefix: "/api/v1",
        version: "1.0.0",
      }),
    ),
  );

describe("lintOpenApi", () => {
  it("has nothing against the document of the API", async () => {
    expect(await lintOpenApi()).toEqual([]);
  });

  it("finds what is wrong with a document, by either linter or by both", async () => {
    const document = clean();
    document.servers[0].url += "/";
    delete document.paths["/tenants"].get.security;
    document.components.schemas.Order.examples = [{ id: "no number" }];
    document.paths["/orders"].get.operationId = "createOrder";
    document.paths["/orders/{order}"] = document.paths["/orders/{id}"];
    delete document.paths["/orders/{id}"];
    document.components.headers.Unused = { description: "Nobody refers to it.", schema: { type: "string" } };

    const found = (await lintOpenApi(document)).map((line) => line.split(" ").slice(0, 2).join(" "));

    for (const [rule, linters] of Object.entries({
      "security-defined": ["redocly"],
      "no-invalid-schema-examples": ["redocly"],
      "oas3-server-trailing-slash": ["spectral"],
      "operation-operationId-unique": ["redocly", "spectral"],
      "path-parameters-defined": ["redocly"],
      "path-params": ["spectral"],
      "no-unused-components": ["redocly"],
      "oas3-unused-component": ["spectral"],
    }))
      for (const linter of linters) expect(found).toContain(`${linter} ${rule}`);
  });
});
