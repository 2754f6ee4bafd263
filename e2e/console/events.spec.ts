import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import type { Demo } from "../fixtures.ts";
import { expect, type Stage, test } from "./fixtures.ts";

/** A call of the API with the key of the stage's tenant. */
async function api(demo: Demo, method: string, path: string, json?: object) {
  const answer = await fetch(demo.base_url + path, {
    method,
    headers: { authorization: `Bearer ${demo.tenants[1]?.api_key}`, "content-type": "application/json" },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
}

/** Another endpoint of the stage's type, which refuses everything. */
async function refusing(demo: Demo, { eventType }: Stage) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(422).end("no such order"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/refuses`;
  await api(demo, "POST", "/webhook-endpoints", { url, event_types: [eventType] });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

test("support finds an event by its id, sees where it went and opens the delivery that failed", async ({
  page,
  demo,
  stage,
}) => {
  const close = await refusing(demo, stage);
  const id = await stage.publish({ order: 1001, big: "12345678901234567890" });
  await page.goto(`/events?tenant=${stage.tenantId}&type=${stage.eventType}`);
  await expect(page.getByRole("row").filter({ hasText: stage.eventType })).toContainText("order, big");

  await page.keyboard.press("/");
  await page.keyboard.type(id);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: stage.eventType })).toBeVisible();
  await expect(page.getByTestId("fan-out")).toContainText("Delivered to 1 of 2 endpoints");
  await expect(page.getByTestId("fan-out")).toContainText("1 failed");
  await expect(page.getByText(id.slice("evt_".length).replaceAll("-", ""))).toBeVisible();
  const payload = page.getByRole("region", { name: "Event body" });
  await expect(payload).toContainText('"order": 1001');
  await page.getByText("Raw", { exact: true }).click();
  await expect(payload).toContainText('"data":{"order":1001,');
  await expect(page.getByRole("link", { name: "Replay those that failed" })).toHaveAttribute(
    "href",
    new RegExp(`/deliveries\\?event=${id}&status=failed`),
  );

  await page.getByRole("link", { name: /Failed$/ }).click();
  await expect(page.getByText("It will not be retried by itself.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText("no such order");
  await page.getByRole("link", { name: id }).click();
  await expect(page.getByTestId("fan-out")).toBeVisible();
  close();
});

test("a text that is no id is not lost, and nothing is found where there is nothing", async ({
  page,
  stage,
}) => {
  await page.goto(`/events?tenant=${stage.tenantId}&type=${stage.eventType}`);
  await expect(page.getByText("No events match these filters")).toBeVisible();
  const box = page.getByRole("textbox", { name: "Go to an id" });
  await box.fill("order 1001");
  await box.press("Enter");
  await expect(page.getByText("No id of an event, delivery, endpoint or replay.")).toBeVisible();
  await expect(box).toHaveValue("order 1001");

  await box.fill("evt_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84");
  await box.press("Enter");
  await expect(page.getByRole("heading", { name: "There is no such event" })).toBeVisible();
});

test("announces new events and moves no row until one asks for them", async ({ page, stage }) => {
  await stage.publish({ n: 1 });
  await page.goto(`/events?tenant=${stage.tenantId}&type=${stage.eventType}`);
  const rows = page.getByRole("table").locator("tbody").getByRole("link");
  await expect(rows).toHaveCount(1);

  await stage.publish({ n: 2 });
  await expect(page.getByRole("button", { name: "1 new event" })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("n");
  await expect(rows).toHaveCount(2);
});

test("an administrator expunges what an event carries, after typing so", async ({ page, stage }) => {
  const id = await stage.publish({ name: "Ada Lovelace" });
  await page.goto(`/events/${id}?tenant=${stage.tenantId}`);
  await expect(page.getByTestId("fan-out")).toContainText("Delivered to its endpoint");

  await page.getByRole("button", { name: "Expunge data" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Remains: its id, type, time and sequence");
  await dialog.getByRole("button", { name: "Expunge data" }).click();
  await expect(dialog.getByText("Type the word expunge.")).toBeVisible();
  await dialog.getByRole("textbox").fill("expunge");
  await dialog.getByRole("button", { name: "Expunge data" }).click();

  await expect(page.getByText("Its data was expunged at")).toBeVisible();
  await expect(page.getByRole("region", { name: "Event body" })).not.toContainText("Lovelace");
  await expect(page.getByRole("button", { name: "Expunge data" })).toHaveAccessibleDescription(
    "Its data was expunged already.",
  );
});

test("has nothing that axe finds fault with, and fits 360 pixels", async ({ page, demo, stage }) => {
  const id = await stage.publish({ text: "averylongwordwithoutanybreak".repeat(40) });
  await page.goto(`/events?tenant=${stage.tenantId}`);
  await expect(page.getByRole("table").getByRole("link").first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);

  await page.goto(`/events/${id}?tenant=${stage.tenantId}`);
  await expect(page.getByTestId("fan-out")).toContainText("Delivered");
  expect(await narrowOverflow(page)).toBe(0);
  await page.getByRole("button", { name: "Expunge data" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect((await api(demo, "GET", `/events/${id}`)).status).toBe(200);
});
