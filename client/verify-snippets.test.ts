import { expect, it } from "vitest";
import { verifySnippets } from "./verify-snippets.ts";

it("names both keys by their ids, and reads the secrets from the environment", () => {
  const [node, python] = verifySnippets("timestamped", { old: "v1", current: "v2" });

  expect(node?.code).toContain("{ v1: process.env.WEBHOOK_SECRET_OLD, v2: process.env.WEBHOOK_SECRET_NEW }");
  expect(python?.code).toContain(
    '{"v1": os.environ["WEBHOOK_SECRET_OLD"], "v2": os.environ["WEBHOOK_SECRET_NEW"]}',
  );
  expect(python?.code).toContain('parts["t"]');
});
