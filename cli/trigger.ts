import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod";
import { ApiProblem, createClient, isPassing } from "#sdk/index.ts";
import { loadSettings } from "#server/settings/settings.ts";
import { InputError, UnavailableError } from "./input-error.ts";
import { printMade } from "./print.ts";

interface Options {
  data: Record<string, unknown>;
  url?: string;
  key?: string;
}

/** `trigger`. */
export function addTrigger(program: Command): void {
  program
    .command("trigger")
    .description("publish an event through the API; prints its id")
    .argument("<type>", "of the event, such as invoice.paid")
    .option("--data <json>", "the event's data; default: {}", dataArgument, {})
    .option(
      "--url <url>",
      "where the API is, such as http://127.0.0.1:3000/api/v1; default: the running demo",
    )
    .option("--key <key>", "an API key with the scope events:write; default: that of the demo's first tenant")
    .action(trigger);
}

async function trigger(type: string, { data, url, key }: Options): Promise<void> {
  const { baseUrl, apiKey } =
    url !== undefined && key !== undefined ? { baseUrl: url, apiKey: key } : await demo({ url, key });
  const client = createClient({ baseUrl, apiKey });
  const { id, sequence } = await client.publishEvent({ body: { type, data } }).catch((error: unknown) => {
    throw error instanceof ApiProblem ? toldError(error) : error;
  });
  printMade(id, `Published as number ${sequence}. Its deliveries are on their way.`);
}

const Demo = z.object({ base_url: z.string(), tenants: z.array(z.object({ api_key: z.string() })).min(1) });

/** What is not given, from what the running demo tells of itself. */
async function demo({
  url,
  key,
}: Pick<Options, "url" | "key">): Promise<{ baseUrl: string; apiKey: string }> {
  const file = join(resolve(loadSettings().dataDir), "demo.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  const told = text === undefined ? undefined : Demo.safeParse(JSON.parse(text)).data;
  const baseUrl = url ?? told?.base_url;
  const apiKey = key ?? told?.tenants[0]?.api_key;
  if (baseUrl === undefined || apiKey === undefined)
    throw new InputError(`There is no demo at ${file}: say --url and --key.`);
  return { baseUrl, apiKey };
}

/** A refusal in one line, with what is wrong and where. */
function toldError(error: ApiProblem): Error {
  const defects = error.problem?.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? [];
  const text = [error.message, ...defects].join(" ");
  return isPassing(error) ? new UnavailableError(text) : new InputError(text);
}

function dataArgument(text: string): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parse(text));
  if (!parsed.success)
    throw new InvalidArgumentError('It must be a JSON object such as {"invoice":"inv_7"}.');
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
