import { watchAnswers } from "./conforming.ts";
import { expect, test } from "./fixtures.ts";

test("an answer that the OpenAPI document does not tell of is found out", async ({ context, demo }) => {
  // A page of its own: that of the fixture would make the test fail.
  const page = await context.newPage();
  const defects = watchAnswers(page, demo.base_url);
  await page.route("**/api/v1/deliveries", (route) =>
    route.fulfill({ status: 200, headers: { "x-made-up": "1" }, json: { items: [{ id: 1 }] } }),
  );
  await page.goto("/docs");
  await page.evaluate((url) => fetch(url).then((answer) => answer.text()), `${demo.base_url}/deliveries`);
  const found = await defects();
  expect(found.length).toBeGreaterThan(2);
  expect(found).toContain("GET /deliveries 200: the header X-Request-Id is missing");
});
