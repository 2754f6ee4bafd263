import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureDrain } from "./drain.ts";
import { openGround } from "./ground.ts";
import { printTable, type Row } from "./report.ts";

// npm run bench: each figure is a ratio against a limit that is measured in the same run, because machines differ.

const HELP = `npm run bench -- [options]

  --deliveries N   size of the backlog, default 20000
  --body BYTES     size of an event's data, default 1024
  --rounds N       repetitions, of which the median counts, default 3
  --json FILE      write the figures to a file
`;

const { values } = parseArgs({
  options: {
    deliveries: { type: "string", default: "20000" },
    body: { type: "string", default: "1024" },
    rounds: { type: "string", default: "3" },
    json: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

function count(name: "deliveries" | "body" | "rounds"): number {
  const text = values[name];
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  process.stderr.write(`--${name} takes a whole number of at least 1, not ${text}.\n`);
  process.exit(2);
}

const options = { deliveries: count("deliveries"), bodyBytes: count("body") };
const rounds = count("rounds");
const ground = await openGround((text) => process.stderr.write(`${text}\n`));
try {
  const results = [];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`round ${round} of ${rounds}\n`);
    results.push(await measureDrain(ground, options));
  }
  const median = results.sort((a, b) => a.ratio - b.ratio)[Math.floor(results.length / 2)];
  if (!median) throw new Error("no round was measured");
  const rows: Row[] = [
    {
      name: `bare sign + POST (undici, HMAC-SHA256, ${median.receiver} receiver)`,
      perSecond: median.barePerSecond,
      ratio: 1,
    },
    {
      name: "durable deliveries, drain of a backlog",
      perSecond: median.perSecond,
      ratio: median.ratio,
    },
  ];
  process.stderr.write(`${JSON.stringify(results)}\n`);
  printTable(
    rows,
    `${options.deliveries} deliveries of ${options.bodyBytes} bytes, median of ${rounds}, ${ground.description}`,
  );
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ options, rounds, rows }, null, 2)}\n`);
} finally {
  await ground.close();
}
