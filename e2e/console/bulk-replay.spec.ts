import type { Page } from "@playwright/test";
import { accessibilityProblems, narrowOverflow } from "../axe.ts";
import { failed, rowsOf, settled } from "./failing.ts";
import { expect, type Stage, test } from "./fixtures.ts";

const TOTAL = 10_000;
/** How many the receiver takes before it holds its breath. */
const FIRST = 400;
const inWords = (count: number) => count.toLocaleString("en");
const dialog = (page: Page) => page.getByRole("dialog");

/** Lets the receiver take some deliveries, and answer the others when it is told to. */
function takeOnly(stage: Stage, count: number): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let seen = 0;
  stage.answer = {
    status: 202,
    get after() {
      return ++seen > count ? held : Promise.resolve();
    },
  };
  return release;
}

/** Asks in the list for everything that failed to be sent again; gives what the dialog makes of it. */
async function replayAllThatFailed(page: Page, count: number): Promise<void> {
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected deliveries" });
  await expect(bar).toContainText("Updates paused");
  await bar.getByRole("button", { name: "Select all that match" }).click();
  await bar.getByRole("button", { name: "Replay" }).click();
  await expect(dialog(page)).toContainText(`${inWords(count)} deliveries will be sent again`);
  await dialog(page)
    .getByRole("button", { name: `Replay ${inWords(count)} deliveries` })
    .click();
  await expect(dialog(page)).toContainText(`1 replay made of ${inWords(count)} deliveries`);
}

test("support replays ten thousand failed deliveries, watches, cancels, and sends the rest again", async ({
  page,
  stage,
  demo,
}) => {
  test.setTimeout(300_000);
  await failed(page, stage, TOTAL);
  const release = takeOnly(stage, FIRST);
  await replayAllThatFailed(page, TOTAL);
  await expect(dialog(page)).toContainText(
    `${FIRST} of ${inWords(TOTAL)} have ended, ${FIRST} delivered and 0 not`,
    { timeout: 30_000 },
  );

  await dialog(page)
    .getByRole("link", { name: /^Replay/ })
    .click();
  await expect(page.getByTestId("progress")).toHaveText(`${FIRST} of ${inWords(TOTAL)} deliveries`);
  await expect(page.getByText(demo.console.email)).toBeVisible();
  await page.getByRole("button", { name: "Cancel replay" }).click();
  await expect(dialog(page)).toContainText("those that already were are still sent, and counted");
  await dialog(page).getByRole("button", { name: "Cancel replay" }).click();
  await expect(page.getByText("No more deliveries are put back.")).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);

  // What was put back already is still sent; the rest has failed as before. Nothing is lost, nothing counted twice.
  release();
  await settled(page, stage);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const read = async () => {
    const headers = { "posthorn-tenant": stage.tenantId };
    const answer = await page.request.get(`/api/v1/replays/${id}`, { headers });
    return (await answer.json()) as { status: string; done: number; succeeded: number };
  };
  await page.goto(`${stage.listPath}&status=failed`);
  await expect(rowsOf(page)).toHaveCount(50);
  await expect.poll(async () => (await read()).done).toBeGreaterThan(FIRST);
  await page.goto(`/replays?tenant=${stage.tenantId}&endpoint=${stage.endpointId}`);
  await expect(page.getByRole("row").filter({ hasText: "Bulk replay" })).toContainText("Cancelled");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await narrowOverflow(page)).toBe(0);

  const { status, done, succeeded } = await read();
  expect([status, succeeded]).toEqual(["cancelled", done]);
  const rest = TOTAL - done;
  await page.goto(`${stage.listPath}&status=failed`);
  await replayAllThatFailed(page, rest);
  const all = inWords(rest);
  await expect(dialog(page)).toContainText(`${all} of ${all} have ended, ${all} delivered and 0 not`, {
    timeout: 120_000,
  });
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("No deliveries match these filters")).toBeVisible();
});
