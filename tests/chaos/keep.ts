import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Evidence } from "./evidence.ts";

/** Keeps what is known of a run that went wrong, logs apart, in a folder; gives its path. Secrets are left out. */
export async function keep({ logs, secrets: _, ...rest }: Evidence): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-chaos-kept-"));
  await writeFile(join(folder, "evidence.json"), JSON.stringify(rest, null, 1));
  for (const { name, text } of logs) await writeFile(join(folder, `${name.replaceAll(" ", "-")}.log`), text);
  return folder;
}
