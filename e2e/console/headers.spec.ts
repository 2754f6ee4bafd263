import { expect, test } from "../fixtures.ts";

test("each page has a script policy with a nonce of its own, and cannot be framed", async ({ request }) => {
  const policies: string[] = [];
  const paths = [
    "/sign-in",
    "/sign-in",
    "/deliveries",
    "/deliveries/dlv_1",
    "/invitation",
    "/docs-none",
    "/none",
  ];
  for (const path of paths) {
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
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["permissions-policy"]).toContain("camera=()");
    // Nobody is held to a TLS that is not there; web/security-headers.test.ts has what https brings.
    expect(headers).not.toHaveProperty("strict-transport-security");
    expect(headers).not.toHaveProperty("x-powered-by");

    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const scripts = (await answer.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  }
  expect(new Set(policies).size).toBe(policies.length);
});

test("what is no page cannot be framed either", async ({ request }) => {
  for (const path of ["/_next/static/none.js", "/icon.svg", "/api/none", "/api/v1/none", "/problems/"]) {
    const headers = (await request.get(path)).headers();
    expect([path, headers["x-frame-options"]]).toEqual([path, "DENY"]);
    expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
  }
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
  await page.exposeFunction("complain", (text: string) => complaints.push(text));
  // A violation that the code catches is on no console, and is reported all the same.
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      (window as unknown as { complain(text: string): void }).complain(`${violatedDirective} ${blockedURI}`),
    ),
  );

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
