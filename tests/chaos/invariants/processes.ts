import { spellings } from "#web/testing/spellings.ts";
import type { Evidence } from "../evidence.ts";

/** No secret is in what any process has written, however it is spelt. */
export function secretsAreKept({ secrets, logs }: Evidence): string[] {
  return Object.entries(secrets).flatMap(([what, secret]) => {
    const forms = spellings(secret);
    return logs
      .filter(({ text }) => forms.some((form) => text.includes(form)))
      .map(({ name }) => `${what} is in the log of ${name}`);
  });
}

/** No process ends but by a signal of ours, and none has to be told twice. */
export function processesLive({ collapses }: Evidence): string[] {
  return [...collapses];
}

/** No claim, no job and no place in a queue outlives its work. */
export function nothingIsLeft({ leftovers }: Evidence): string[] {
  return Object.entries(leftovers)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what} are left`);
}
