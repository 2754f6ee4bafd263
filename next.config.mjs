const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];
// The path of the portal holds the bearer's token: no cache, no search engine and no other site is to see it.
const portalHeaders = [
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "Cache-Control", value: "no-store" },
  { key: "X-Robots-Tag", value: "noindex, nofollow" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // The image optimizer has had remote code execution; nothing here needs it.
  images: { unoptimized: true },
  // Types are checked by `npm run check`, once for the whole repository.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  experimental: { optimizePackageImports: ["@mantine/core", "@mantine/hooks"] },
  headers: () =>
    Promise.resolve([
      { source: "/:path*", headers: securityHeaders },
      // Which pages of the portal may be framed the web server says, link by link.
      { source: "/((?!portal/).*)", headers: [{ key: "X-Frame-Options", value: "DENY" }] },
      { source: "/portal/:path*", headers: portalHeaders },
    ]),
};
