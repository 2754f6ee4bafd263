import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#web/test-support.ts";
import { runCli } from "./test-support.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await openTestApi();
  folder = await mkdtemp(join(tmpdir(), "posthorn-trigger-"));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const trigger = (...args: string[]) => runCli(["trigger", ...args], { POSTHORN_DATA_DIR: folder });

describe("trigger", () => {
  it("publishes an event where it is told to, and prints its id, alone", async () => {
    const where = ["--url", api.base, "--key", api.tenant.key];
    const { code, stdout, stderr } = await trigger("invoice.paid", "--data", '{"invoice":"inv_7"}', ...where);
    expect([code, stderr]).toEqual([0, "Published as number 1. Its deliveries are on their way.\n"]);
    const { json } = await api.call("GET", `/events/${stdout.trim()}`);
    expect(json).toMatchObject({ type: "invoice.paid", data: { invoice: "inv_7" } });
  });

  it("takes the demo that is running when it is told nothing", async () => {
    const { key } = await api.addTenant();
    const demo = { base_url: api.base, tenants: [{ api_key: key }, { api_key: api.tenant.key }] };
    await writeFile(join(folder, "demo.json"), JSON.stringify(demo));
    const { code, stdout } = await trigger("order.seen");
    expect(code).toBe(0);
    expect((await api.call("GET", `/events/${stdout.trim()}`, { key })).json.data).toEqual({});
    await rm(join(folder, "demo.json"));
  });

  const where = () => ["--url", api.base, "--key", api.tenant.key];
  /** How it ended, when it says why in one line. */
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await trigger(...args);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain(api.tenant.key);
    return [code, stdout, stderr];
  };

  it("says in one line what the API refuses, and shows no key", async () => {
    expect(await refused("no type!", ...where())).toEqual([
      2,
      "",
      expect.stringContaining("#/type must be words"),
    ]);
    const wrong = ["--url", api.base, "--key", "ph_live_x"];
    expect(await refused("a.b", ...wrong)).toEqual([2, "", expect.stringContaining("Unauthenticated")]);
  });

  it("says in one line what it needs", async () => {
    expect(await refused("a.b", "--data", "[1]", ...where())).toEqual([
      2,
      "",
      expect.stringContaining("JSON object"),
    ]);
    expect(await refused("a.b")).toEqual([2, "", expect.stringContaining("say --url and --key")]);
  });

  it("fails when nothing answers", async () => {
    const nowhere = ["--url", "http://127.0.0.1:1/api/v1", "--key", api.tenant.key];
    expect(await refused("a.b", ...nowhere)).toEqual([1, "", expect.stringContaining("cannot be reached")]);
  });
});
