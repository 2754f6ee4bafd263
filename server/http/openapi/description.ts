import { firstSteps } from "./guide/first-steps.ts";
import { rules } from "./guide/rules.ts";
import { webhooksGuide } from "./guide/webhooks.ts";

/** The guide to the whole API, in Markdown: first steps with curl, rules, webhooks. `version` is that of Posthorn. */
export function description(baseUrl: string, version: string): string {
  return `${[firstSteps(baseUrl), rules(), webhooksGuide(version)].join("\n\n")}\n`;
}
