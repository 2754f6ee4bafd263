import { readFileSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import * as z from "zod";
import { watchAnswers } from "./conforming.ts";

const Demo = z.object({
  origin: z.url(),
  base_url: z.url(),
  console: z.object({ email: z.string(), password: z.string() }),
  tenants: z.array(z.object({ id: z.string(), name: z.string(), api_key: z.string() })).length(2),
  metrics_token: z.string(),
  consumer_url: z.url(),
});

/** Where the application under test is reached, and the keys to it. */
export type Demo = z.infer<typeof Demo>;

/**
 * Playwright's `test` with the running application: `demo`, and its origin as the base of all addresses. A test fails
 * when its page gets an answer of the API that is not what the OpenAPI document says.
 */
export const test = base.extend<{ conforming: undefined }, { demo: Demo }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) =>
      use(Demo.parse(JSON.parse(readFileSync(process.env.POSTHORN_E2E_DEMO_FILE ?? "", "utf8")))),
    { scope: "worker" },
  ],
  baseURL: ({ demo }, use) => use(demo.origin),
  conforming: [
    async ({ page, demo }, use) => {
      const defects = watchAnswers(page, demo.base_url);
      await use(undefined);
      expect(await defects()).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";
