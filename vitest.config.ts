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

const tests = (folder: string) => `${folder}/**/*.test.{ts,tsx}`;
/** What waits more than it works: for retries, for leases that run out, for processes that were killed. */
const waiting = ["workers", "tests/chaos", "server/runtime"].map(tests);

export default defineConfig({
  test: {
    environment: "node",
    globalSetup: "tests/global-setup.ts",
    pool: "forks",
    // For machines that are busy with other things: what hangs is found, however long that takes.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    allowOnly: !process.env.CI,
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: folders.map(tests),
          exclude: waiting,
          maxWorkers: 2,
          // Reading the modules anew for each file took longer than half of the tests themselves.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "engine", include: waiting, maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
