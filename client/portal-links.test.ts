import { describe, expect, it } from "vitest";
import { EMPTY_LINK, embedSnippet, logoFault, newLinkOf } from "./portal-links.ts";

const form = { ...EMPTY_LINK, name: "Kim of Acme" };

describe("newLinkOf", () => {
  it("leaves out what was not filled in", () => {
    expect(newLinkOf({ ...form, access: [] })).toEqual({
      value: {
        name: "Kim of Acme",
        expires_in_seconds: 86_400,
        access: [],
        theme: { name: null, accent_color: null, logo_url: null },
        frame_ancestors: [],
      },
    });
  });

  it("takes origins line by line, each once", () => {
    const ancestors = "https://app.example.com/\nhttps://App.example.com, http://localhost:3000";
    expect(newLinkOf({ ...form, ancestors })).toMatchObject({
      value: { frame_ancestors: ["https://app.example.com", "http://localhost:3000"] },
    });
  });

  it("names each field that is wrong, and the origin as it was typed", () => {
    const read = newLinkOf({ ...form, name: " ", accent: "green", ancestors: "https://*.example.com" });
    expect(read).toMatchObject({
      errors: {
        name: "Say who it is for.",
        "theme/accent_color": "must be #rrggbb",
        frame_ancestors: expect.stringContaining("https://*.example.com: must be an origin"),
      },
    });
  });
});

it("takes small images of three kinds as a logo", () => {
  expect(logoFault({ type: "image/png", size: 65_536 })).toBeNull();
  expect(logoFault({ type: "image/svg+xml", size: 10 })).toContain("PNG");
  expect(logoFault({ type: "image/png", size: 65_537 })).toContain("64 KiB");
});

it("embeds a link whatever its title says", () => {
  const html = embedSnippet("https://x.test/portal/posthorn_portal_a", 'A "<b>" & co');
  expect(html).toContain('src="https://x.test/portal/posthorn_portal_a"');
  expect(html).toContain('title="A &quot;&lt;b&gt;&quot; &amp; co"');
});
