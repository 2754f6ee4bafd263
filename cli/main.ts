import { CommanderError } from "commander";
import { createProgram } from "./program.ts";
import { reportFailure } from "./report-failure.ts";

// Whoever reads the output may stop reading, as `head` does: no reason to fail.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has said already what is wrong; it knows nothing of our exit codes.
  process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : reportFailure(error);
}
