import { defineConfig } from "vitest/config";

const folders = [
  "contracts",
  "db",
  "server",
  "workers",
  "receiver",
  "example-consumer",
  "client",
  "sdk",
  "components",
  "cli",
  "scripts",
  "tests",
  "web",
  "bench",
];

export default defineConfig({
  test: {
    include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    environment: "node",
    globalSetup: "tests/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: !process.env.CI,
  },
});
