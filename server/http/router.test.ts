import { describe, expect, it } from "vitest";
import { operations } from "#contracts/index.ts";
import type { Operation } from "#contracts/operation.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { createRouter } from "./router.ts";
import { routes } from "./routes.ts";

describe("the routes", () => {
  it("answer every operation of the contract, and nothing else but with its description", () => {
    const ids = (list: readonly Operation[]) => list.map((operation) => operation.id).sort();
    const bound = routes.filter((route) => route !== openApiRoute).map((route) => route.operation);
    expect(ids(bound)).toEqual(ids(operations));
    expect(routes).toContain(openApiRoute);
  });

  it("give each method of a path to one operation", () => {
    const names = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the router", () => {
  const router = createRouter(routes);
  const find = (path: string) =>
    Object.fromEntries(
      [...(router(path)?.methods ?? [])].map(([method, { route, params }]) => [
        method,
        [route.operation.id, params],
      ]),
    );

  it("finds the methods of a path and the values of its parameters", () => {
    expect(find("/orders")).toEqual({ GET: ["listOrders", {}], POST: ["createOrder", {}] });
    expect(find("/orders/7")).toMatchObject({ GET: ["getOrder", { id: "7" }] });
    expect(find("/orders/7/payment")).toEqual({ POST: ["payOrder", { id: "7" }] });
  });

  it("decodes parameters, and finds nothing where they are no text", () => {
    expect(find("/orders/%37%2F")).toMatchObject({ GET: ["getOrder", { id: "7/" }] });
    expect(router("/orders/%ff")).toBeUndefined();
    expect(router("/orders/%")).toBeUndefined();
  });

  it("knows a literal name from a parameter", () => {
    expect(find("/events/batch")).toEqual({ POST: ["publishEvents", {}] });
  });

  it.each(["", "/", "/orders/", "/orders/7/", "//orders", "/orders/7/nothing", "/nothing", "/Orders"])(
    "finds nothing at %j",
    (path) => {
      expect(router(path)).toBeUndefined();
    },
  );
});
