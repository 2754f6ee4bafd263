import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { createReceiver, memoryStore } from "#receiver/index.ts";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import type { Demo } from "../fixtures.ts";
import { expect, type Stage, test } from "./fixtures.ts";

/** A receiver as customers run it, with the library: it believes what its secrets have signed, and counts. */
async function openShop(demo: Demo, stage: Stage) {
  const secrets: Record<string, string> = {};
  const statuses: number[] = [];
  const receiver = createReceiver({ secrets: () => ({ ...secrets }), store: memoryStore() });
  const server = createServer(async (request, response) => {
    statuses.push((await receiver.node(request, response)).status);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = demo.tenants.find(({ id }) => id === stage.tenantId)?.api_key;
  const answer = await fetch(`${demo.base_url}/webhook-endpoints`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `http://${host}/webhooks/provider`, event_types: [stage.eventType] }),
  });
  const endpoint = (await answer.json()) as { id: string; secret: string; secret_key_id: string };
  secrets[endpoint.secret_key_id] = endpoint.secret;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { id: endpoint.id, secrets, statuses, close };
}

/** Publishes without a pause until it is stopped; gives how many there were. */
function openTraffic(stage: Stage): { stop: () => Promise<number> } {
  let isOver = false;
  const running = (async () => {
    let count = 0;
    while (!isOver) {
      await stage.publish({ count: count++ });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return count;
  })();
  return {
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

const rotate = (page: Page, stage: Stage, id: string) =>
  page.goto(`/endpoints/${id}/rotate?tenant=${stage.tenantId}`);

test("an operator rotates a secret under running traffic with no delivery refused", async ({
  page,
  stage,
  demo,
}) => {
  const shop = await openShop(demo, stage);
  const traffic = openTraffic(stage);
  await expect.poll(() => shop.statuses.length).toBeGreaterThan(5);

  await rotate(page, stage, shop.id);
  await expect(page.getByRole("row", { name: /v1 Current/ })).toBeVisible();
  await page.getByRole("button", { name: "Make the new secret" }).click();
  const secret = (await page.getByTestId("secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await expect(page.getByRole("row", { name: /v1 Overlapping/ })).toBeVisible();

  // The old secret alone is known for a while, as it is in life; then both.
  const before = shop.statuses.length;
  await expect.poll(() => shop.statuses.length).toBeGreaterThan(before + 10);
  shop.secrets.v2 = secret;
  await page.getByRole("button", { name: "I have kept it: hide it" }).click();
  await expect(page.getByText(secret)).toHaveCount(0);

  await expect(page.getByText(/The receiver accepted all \d+ deliveries since the switch/)).toBeVisible();
  const table = page.getByRole("table", { name: /Deliveries since the switch/ });
  await expect(table.getByRole("row").filter({ hasText: "v2 of 2 keys" }).first()).toBeVisible();

  await expect(page.getByRole("button", { name: "Revoke v2" })).toHaveAccessibleDescription(
    /The current key cannot be revoked/,
  );
  await page.getByRole("button", { name: "Revoke v1 now" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke v1" }).click();
  await expect(page.getByText("Nothing is left to do: v2 is the only valid key")).toBeVisible();
  await expect(page.getByRole("row", { name: /v1 Revoked/ })).toBeVisible();
  delete shop.secrets.v1;

  const afterwards = shop.statuses.length;
  await expect.poll(() => shop.statuses.length).toBeGreaterThan(afterwards + 10);
  const published = await traffic.stop();
  await expect.poll(() => shop.statuses.length).toBeGreaterThanOrEqual(published);
  expect(shop.statuses.filter((status) => status !== 202 && status !== 200)).toEqual([]);
  shop.close();
});

test("tells of a receiver that does not know the new secret, and shows none again", async ({
  page,
  stage,
  demo,
}) => {
  const shop = await openShop(demo, stage);
  await rotate(page, stage, shop.id);
  await page.getByRole("radio", { name: /^None/ }).check();
  await page.getByRole("button", { name: "Make the new secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate without overlap" }).click();
  const secret = (await page.getByTestId("secret").textContent()) ?? "";
  await page.getByRole("button", { name: "I have kept it: hide it" }).click();

  await stage.publish();
  await expect(page.getByText(/It does not know v2 yet/)).toBeVisible();

  await page.reload();
  await expect(page.getByText("v2 was shown when it was made, and cannot be shown again")).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect((await page.content()) + kept + page.url()).not.toContain(secret);
  shop.close();
});

test("has nothing that axe finds fault with", async ({ page, stage, demo }) => {
  const shop = await openShop(demo, stage);
  await rotate(page, stage, shop.id);
  await page.getByRole("button", { name: "Make the new secret" }).click();
  await expect(page.getByTestId("secret")).toBeVisible();
  await stage.publish();
  await expect(page.getByText(/The receiver accepted all/)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);
  shop.close();
});
