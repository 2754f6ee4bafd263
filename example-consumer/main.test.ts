import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OTHER_SECRET, SECRET, type SignedDelivery, signedDelivery } from "#receiver/testing-delivery.ts";

let directory: string;
let secretsPath: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "consumer-"));
  secretsPath = join(directory, "secrets.json");
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  await rm(directory, { recursive: true });
});

function launch(environment: Record<string, string> = {}) {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "test",
    PORT: "0",
    CONSUMER_SECRETS_FILE: secretsPath,
    CONSUMER_DATA_DIR: directory,
    ...environment,
  };
  const child = fork(join(import.meta.dirname, "main.ts"), { env, execArgv: [], stdio: "pipe" });
  children.push(child);
  const output: string[] = [];
  child.stdout?.on("data", (chunk) => output.push(String(chunk)));
  child.stderr?.on("data", (chunk) => output.push(String(chunk)));
  return { child, output: () => output.join("") };
}

async function start(environment: Record<string, string> = {}) {
  const { child, output } = launch(environment);
  const [message] = (await once(child, "message")) as [{ port: number }];
  const url = (path: string) => `http://127.0.0.1:${message.port}${path}`;
  const deliver = async (delivery: SignedDelivery, path = "/webhooks/provider") =>
    (
      await fetch(url(path), {
        method: "POST",
        headers: delivery.headers,
        body: new Uint8Array(delivery.body),
      })
    ).status;
  const status = async () => (await fetch(url("/"))).json() as Promise<Record<string, unknown>>;
  return { child, output, url, deliver, status };
}

const writeSecrets = (secrets: unknown) =>
  writeFile(secretsPath, JSON.stringify({ "/webhooks/provider": secrets }));

describe("the example consumer at /webhooks/provider", () => {
  it("answers 202 for a new delivery, 200 for a known one, 401 and 400 for bad ones", async () => {
    await writeSecrets({ v1: SECRET });
    const { deliver, output, status } = await start();
    expect(await deliver(signedDelivery({ id: "dlv_a" }))).toBe(202);
    expect(await deliver(signedDelivery({ id: "dlv_a" }))).toBe(200);
    expect(await deliver(signedDelivery({ id: "dlv_b", secret: OTHER_SECRET }))).toBe(401);
    const { "x-delivery": _, ...headers } = signedDelivery().headers;
    expect(await deliver({ ...signedDelivery(), headers })).toBe(400);

    expect(await status()).toMatchObject({
      stored: 1,
      since_start: { stored: 1, duplicates: 1, rejected: 2, failed: 0 },
      last_deliveries: [
        { status: 400, delivery_id: null },
        { status: 401, delivery_id: "dlv_b" },
        { status: 200, delivery_id: "dlv_a" },
        { status: 202, delivery_id: "dlv_a", event_type: "PaymentCaptured" },
      ],
    });
    expect(output()).toContain("202 stored PaymentCaptured dlv_a\n");
    expect(output()).toContain("401 wrong_signature PaymentCaptured dlv_b\n");
  });

  it("shows no secret and no payload, neither in its log nor in its status", async () => {
    await writeSecrets({ v1: SECRET });
    const { deliver, output, url } = await start();
    await deliver(signedDelivery({ body: Buffer.from('{"card":"4242"}') }));
    await writeFile(secretsPath, `{"/webhooks/provider": "${SECRET}`);
    await deliver(signedDelivery());
    const shown = output() + (await (await fetch(url("/"))).text());
    expect(shown).toContain("dlv_01");
    expect(shown).not.toContain("4242");
    expect(shown).not.toContain("whsec_");
  });

  it("follows the secrets file: absent, made, replaced, half written, gone", async () => {
    const { deliver, output } = await start();
    expect(await deliver(signedDelivery())).toBe(401);

    await writeSecrets({ v1: SECRET });
    expect(await deliver(signedDelivery({ id: "dlv_1" }))).toBe(202);

    const temporary = `${secretsPath}.new`;
    await writeFile(temporary, JSON.stringify({ "/webhooks/provider": { v2: OTHER_SECRET } }));
    await rename(temporary, secretsPath);
    expect(await deliver(signedDelivery({ id: "dlv_2" }))).toBe(401);
    expect(await deliver(signedDelivery({ id: "dlv_2", kid: "v2", secret: OTHER_SECRET }))).toBe(202);

    const whole = await readFile(secretsPath, "utf8");
    await writeFile(secretsPath, whole.slice(0, 20));
    expect(await deliver(signedDelivery({ id: "dlv_3", kid: "v2", secret: OTHER_SECRET }))).toBe(202);
    expect(await deliver(signedDelivery({ id: "dlv_4", kid: "v2", secret: OTHER_SECRET }))).toBe(202);
    expect(output().match(/is not JSON/g)).toHaveLength(1);

    await unlink(secretsPath);
    expect(await deliver(signedDelivery({ id: "dlv_5", kid: "v2", secret: OTHER_SECRET }))).toBe(401);
  });

  it.each([
    ["a list", [SECRET, OTHER_SECRET]],
    ["a list of maps", [{ v1: SECRET }, { v1: OTHER_SECRET }]],
    ["a map of lists", { v1: [SECRET, OTHER_SECRET] }],
  ])("accepts the deliveries of several tenants on one path: %s", async (_, secrets) => {
    await writeSecrets(secrets);
    const { deliver } = await start();
    expect(await deliver(signedDelivery({ id: "dlv_1" }))).toBe(202);
    expect(await deliver(signedDelivery({ id: "dlv_2", secret: OTHER_SECRET }))).toBe(202);
  });

  it("takes its secrets from the environment when there is no file", async () => {
    const { deliver } = await start({
      CONSUMER_SECRETS_FILE: "",
      CONSUMER_SECRETS: JSON.stringify({ "/webhooks/provider": SECRET }),
    });
    expect(await deliver(signedDelivery())).toBe(202);
  });

  it("still knows a delivery after kill -9", async () => {
    await writeSecrets({ v1: SECRET });
    const first = await start();
    expect(await first.deliver(signedDelivery())).toBe(202);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");

    const second = await start();
    expect(await second.deliver(signedDelivery())).toBe(200);
    expect(await second.status()).toMatchObject({ stored: 1 });
  });
});

describe("the example consumer elsewhere", () => {
  it("is always unavailable at /unavailable, and at times says for how long", async () => {
    const { url } = await start();
    const answers = [];
    for (let attempt = 0; attempt < 3; attempt++)
      answers.push(await fetch(url("/unavailable"), { method: "POST" }));
    expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
      [503, null],
      [503, null],
      [503, "10"],
    ]);
  });

  it("is gone at /gone", async () => {
    const { deliver, output } = await start();
    expect(await deliver(signedDelivery(), "/gone")).toBe(410);
    expect(output()).toContain("410 gone PaymentCaptured dlv_01\n");
  });

  it("never answers at /hang, and holds no more than 200 requests", async () => {
    const { url, output } = await start();
    const abort = new AbortController();
    let ended = 0;
    const requests = Array.from({ length: 205 }, () =>
      fetch(url("/hang"), { method: "POST", signal: abort.signal }).catch(() => {
        ended += 1;
      }),
    );
    await vi.waitFor(() => expect(ended).toBe(5), { timeout: 15_000 });
    expect(output().match(/unanswered/g)).toHaveLength(205);
    abort.abort();
    await Promise.all(requests);
    expect((await fetch(url("/healthz"))).status).toBe(200);
  });

  it("answers 405 and 404", async () => {
    const { url } = await start();
    const wrongMethod = await fetch(url("/gone"));
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await fetch(url("/webhooks/provider"))).status).toBe(405);
    expect((await fetch(url("/"), { method: "POST" })).status).toBe(405);
    expect((await fetch(url("/nothing"))).status).toBe(404);
    expect((await fetch(url("/__proto__"))).status).toBe(404);
  });
});

describe("the example consumer's process", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s though requests hang", async (signal) => {
    const { child, url, output } = await start();
    const hanging = fetch(url("/hang"), { method: "POST" }).catch(() => "ended");
    await vi.waitFor(() => expect(output()).toContain("unanswered"), { timeout: 15_000 });
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await hanging).toBe("ended");
  });

  it("ends when its parent goes away", async () => {
    const { child } = await start();
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it.each([
    [{ PORT: "http" }, "PORT must be a number"],
    [{ PORT: "65536" }, "PORT must be a number"],
    [{ CONSUMER_DATA_DIR: "/dev/null/x" }, "ENOTDIR"],
    [{ CONSUMER_SECRETS_FILE: "", CONSUMER_SECRETS: "[]" }, "CONSUMER_SECRETS is not an object"],
  ])("given %j says in one line what is wrong, and ends with 1", async (environment, problem) => {
    const { child, output } = launch(environment);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output()).toMatch(/^consumer: .*\n$/);
    expect(output()).toContain(problem);
  });

  it("says that its port is taken, and ends with 1", async () => {
    const { url } = await start();
    const { child, output } = launch({ PORT: new URL(url("/")).port });
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output()).toMatch(/^consumer: cannot start: .*EADDRINUSE.*\n$/);
  });
});
