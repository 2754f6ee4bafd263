import { expect, it } from "vitest";
import { describeAgent } from "./user-agent.ts";

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605", "Safari on macOS"],
  [
    "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["curl/8.5.0", "curl"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["x".repeat(50), `${"x".repeat(40)}…`],
  [null, "Unknown program"],
])("%j is %j", (agent, words) => {
  expect(describeAgent(agent)).toBe(words);
});
