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

test("a page of the portal is framed by whom its link names, kept by no cache, and tells nobody its address", async ({
  request,
  demo,
}) => {
  const made = await request.post("/api/v1/portal-links", {
    headers: { authorization: `Bearer ${demo.tenants[0]?.api_key}` },
    data: { name: "headers", expires_in_seconds: 60, frame_ancestors: ["https://app.example.com"] },
  });
  const { url } = await made.json();
  const headersOf = async (path: string) => (await request.get(path)).headers();
  const theirs = await headersOf(url);
  expect(theirs).not.toHaveProperty("x-frame-options");
  expect(theirs["content-security-policy"]).toMatch(/frame-ancestors https:\/\/app\.example\.com$/);
  const nobodys = await headersOf("/portal/nonsense");
  expect(nobodys["x-frame-options"]).toBe("DENY");
  expect(nobodys["content-security-policy"]).toMatch(/frame-ancestors 'none'$/);
  for (const headers of [theirs, nobodys]) {
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["x-robots-tag"]).toContain("noindex");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers).not.toHaveProperty("set-cookie");
  }
});
