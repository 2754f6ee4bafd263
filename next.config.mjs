const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
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
  headers: () => Promise.resolve([{ source: "/:path*", headers: securityHeaders }]),
};
