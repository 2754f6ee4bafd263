import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const program = fileURLToPath(new URL("fixtures/logging-process.ts", import.meta.url));

function startLogging(lines: number, then = "end") {
  const child = fork(program, [String(lines), then], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { stdout } = child;
  if (!stdout) throw new Error("no pipe");
  return { child, stdout };
}

it("brings every line to who reads, the last one before the end included", async () => {
  const { child, stdout } = startLogging(3_000);
  let text = "";
  stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const [[code]] = await Promise.all([once(child, "exit"), once(stdout, "end")]);
  const numbers = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).number);
  expect([code, numbers]).toEqual([0, Array.from({ length: 3_000 }, (_, number) => number)]);
});

it("neither waits for who does not read, nor keeps what he should read, nor is kept from ending", async () => {
  const { child } = startLogging(60_000);
  const [[told], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  expect(code).toBe(0);
  // A minute's worth of lines is 60 MB; what is kept is 4, and its copies.
  expect(told.externalBytes).toBeLessThan(48e6);
  expect(told.longestTurnMs).toBeLessThan(2_000);
});

it("gives a late reader what was kept, in order, and then tells how many lines were dropped", async () => {
  const { child, stdout } = startLogging(20_000, "stay");
  await once(child, "message");
  const kept: number[] = [];
  for await (const text of createInterface({ input: stdout })) {
    const line = JSON.parse(text);
    if (line.msg === "line") kept.push(line.number);
    else {
      expect(line).toMatchObject({ level: "warn", lines: 20_000 - kept.length });
      break;
    }
  }
  expect(kept.length).toBeGreaterThan(3_000);
  expect(kept).toEqual(kept.map((_, at) => at));
  child.disconnect();
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("goes on when a pipe of the shell has lost its reader", async () => {
  const shell = spawn("sh", ["-c", `"$0" "$1" 5000 | head -n 1`, process.execPath, program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void shell.kill("SIGKILL"));
  let errors = "";
  shell.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  shell.stdout.resume();
  expect(await once(shell, "exit")).toEqual([0, null]);
  expect(errors).toBe("");
});
