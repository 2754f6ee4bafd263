import { type Consumer, startConsumer } from "./consumer.ts";
import { parseSecrets, secretsFile } from "./secrets-file.ts";

// A consumer of webhooks, as a customer of Posthorn would write it with the receiver library.
//
//   PORT                   default 3001; 0 takes a free one
//   HOST                   default 127.0.0.1
//   CONSUMER_DATA_DIR      where deliveries are kept; default .posthorn/consumer
//   CONSUMER_SECRETS_FILE  JSON file of secrets by path, { "/webhooks/provider": { "v1": "whsec_…" } }; read again when
//                          it changes. Several senders on one path: { "v1": ["whsec_…", "whsec_…"] }, or a list of maps
//   CONSUMER_SECRETS       the same JSON itself, when there is no file
//
// GET / shows what was received. POST /unavailable, /hang and /gone misbehave on purpose.
// A parent with an IPC channel is sent { port }; when it goes away, so does this process.

const log = (line: string) => console.log(`consumer: ${line}`);

/** Ends the process with one line on what to mend. */
function fail(problem: string): never {
  console.error(`consumer: ${problem}`);
  process.exit(1);
}

function portSetting(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    fail(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

function secretsSetting(): Parameters<typeof startConsumer>[0]["secrets"] {
  const path = process.env.CONSUMER_SECRETS_FILE;
  if (path) return secretsFile(path, log);
  try {
    const secrets = parseSecrets(process.env.CONSUMER_SECRETS ?? "{}");
    return async () => secrets;
  } catch (error) {
    return fail(`CONSUMER_SECRETS ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function start(): Promise<Consumer> {
  try {
    return await startConsumer({
      host,
      port: portSetting(process.env.PORT ?? "3001"),
      dataDir: process.env.CONSUMER_DATA_DIR ?? ".posthorn/consumer",
      secrets: secretsSetting(),
      log,
    });
  } catch (error) {
    return fail(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// The reader of this output may go first; the deliveries still count.
process.stdout.on("error", () => {});

const host = process.env.HOST ?? "127.0.0.1";
const starting = start();

async function stop(): Promise<void> {
  await (await starting).stop();
  process.exit(0);
}
process.once("SIGINT", stop).once("SIGTERM", stop).once("disconnect", stop);

const { port } = await starting;
log(`listening on http://${host.includes(":") ? `[${host}]` : host}:${port}/webhooks/provider`);
if (process.connected) process.send?.({ port });
