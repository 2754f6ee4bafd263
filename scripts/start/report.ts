const isTerminal = process.stdout.isTTY === true;

/**
 * Runs one step of the start and prints a line about it: its name, what it says while it runs (on a terminal the line
 * is rewritten in place, elsewhere each saying is a line), and how long it took.
 */
export async function step<T>(name: string, work: (say: (text: string) => void) => Promise<T>): Promise<T> {
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  let saying = "";
  const show = () =>
    isTerminal && process.stdout.write(`\r\u001b[2K  … ${name.padEnd(20)} ${elapsed()}  ${saying}`);
  const timer = setInterval(show, 200);
  show();
  try {
    const result = await work((text) => {
      saying = text;
      if (isTerminal) show();
      else console.log(`  … ${name}: ${text}`);
    });
    line(`  ✓ ${name.padEnd(20)} ${elapsed()}`);
    return result;
  } catch (error) {
    line(`  ✗ ${name.padEnd(20)} ${elapsed()}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function line(text: string): void {
  console.log(isTerminal ? `\r\u001b[2K${text}` : text);
}

/** An error whose message says what went wrong and what to do; it needs no stack. */
export class StartError extends Error {
  override name = "StartError";
}

const PLAIN = new Set(["StartError", "SettingsError", "EmbeddedPostgresError"]);

/** Prints why the start failed. */
export function fail(error: unknown): void {
  const plain = error instanceof Error && PLAIN.has(error.name);
  const text =
    error instanceof Error ? (plain ? error.message : (error.stack ?? error.message)) : String(error);
  console.error(`\nPosthorn did not start.\n${text}`);
}
