import { expect, test } from "../fixtures.ts";

test("each page has a script policy with a nonce of its own, and cannot be framed", async ({ request }) => {
  const policies: string[] = [];
  for (const path of ["/sign-in", "/sign-in", "/deliveries", "/deliveries/dlv_1", "/no-such-page"]) {
    const answer = await request.get(path);
    const headers = answer.headers();
    const policy = headers["content-security-policy"] ?? "";
    policies.push(policy);
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]+' 'strict-dynamic'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'self'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers).not.toHaveProperty("x-powered-by");

    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const scripts = (await answer.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  }
  expect(new Set(policies).size).toBe(policies.length);
});

test("a nonce that the client sends is not used", async ({ request }) => {
  const answer = await request.get("/sign-in", {
    headers: { "x-nonce": "chosen", "content-security-policy": "script-src 'nonce-chosen'" },
  });

  expect(await answer.text()).not.toContain("chosen");
});

test("pages run under their policy without a complaint of the browser", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "Sign in to Posthorn" })).toBeVisible();

  expect(complaints).toEqual([]);
});
