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

/** The rules, each with its linter, that what `plant` does to a clean document breaks. */
async function broken(plant: (document: ReturnType<typeof clean>) => void): Promise<string[]> {
  const document = clean();
  plant(document);
  const found = (await lintOpenApi(document)).map((line) => line.split(" ").slice(0, 2).join(" "));
  return [...new Set(found)].sort();
}

describe("lintOpenApi", () => {
  it("has nothing against the document of the API", async () => {
    expect(await lintOpenApi()).toEqual([]);
  });

  it("finds what only Redocly sees: an operation that anybody may call by mistake", async () => {
    const found = await broken((document) => {
      delete document.paths["/tenants"].get.security;
    });
    expect(found).toEqual(["redocly security-defined"]);
  });

  it("finds what Spectral sees: a server's address that ends in a slash", async () => {
    const found = await broken((document) => {
      document.servers[0].url += "/";
    });
    expect(found).toContain("spectral oas3-server-trailing-slash");
  });

  it("finds an example that its schema forbids", async () => {
    const found = await broken((document) => {
      document.components.schemas.Order.examples = [{ id: "no number" }];
    });
    expect(found).toEqual(["redocly no-invalid-schema-examples"]);
  });

  it("finds what both see: one name for two operations, and a parameter that the path does not have", async () => {
    const found = await broken((document) => {
      document.paths["/orders"].get.operationId = "createOrder";
      document.paths["/orders/{order}"] = document.paths["/orders/{id}"];
      delete document.paths["/orders/{id}"];
    });
    expect(found).toEqual(
      expect.arrayContaining([
        "redocly operation-operationId-unique",
        "redocly path-parameters-defined",
        "spectral operation-operationId-unique",
        "spectral path-params",
      ]),
    );
  });

  it("finds a component that nothing refers to, but for the one answer that belongs to no operation", async () => {
    const found = await broken((document) => {
      document.components.headers.Unused = {
        description: "Nobody refers to it.",
        schema: { type: "string" },
      };
    });
    expect(found).toEqual(["redocly no-unused-components", "spectral oas3-unused-component"]);
  });
});
