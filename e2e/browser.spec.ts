import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";

test("Chromium renders a page of a local server, and reaches no other host", async ({ page }) => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      "<title>Posthorn</title><h1>Grüße ✓</h1><button onclick=\"this.textContent='clicked'\">click</button>",
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(page).toHaveTitle("Posthorn");
    await page.getByRole("button").click();
    await expect(page.getByRole("button")).toHaveText("clicked");
    const width = await page
      .getByRole("heading")
      .evaluate((heading) => heading.getBoundingClientRect().height);
    expect(width).toBeGreaterThan(10);
    await expect(page.goto("http://example.com/")).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
