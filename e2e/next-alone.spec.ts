import { test } from "@playwright/test";
import { type NextAlone, openNextAlone } from "#tests/next-alone.ts";
import { wireCases } from "#tests/wire-cases.ts";

// The connections that web/wire.test.ts tries on node:http, on the route file that Next serves by itself.
test.describe.configure({ mode: "serial" });

let next: NextAlone;
test.beforeAll(async () => {
  next = await openNextAlone();
});
test.afterAll(() => next.close());

for (const { name, holds } of wireCases)
  test(`under Next alone the API ${name}`, () => holds({ ...next, byteEveryMs: 500 }));
