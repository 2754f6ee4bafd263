import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import type { ApiKeyRow } from "#db/queries/keys.ts";
import { parseApiKey } from "../domain/api-key.ts";
import { KeyReader } from "./key-reader.ts";
import type { KeyUsage } from "./key-usage.ts";
import { verifyApiKey } from "./verify-api-key.ts";

const KEY = "ph_live_lxHY92pVYkUCfWx1_gHnJghcmcCTxKrTH9eCYiUnUPoymFJZC1hjC5P";

describe("a key with a slip in it", () => {
  it("is refused without asking the database", async () => {
    let asked = 0;
    const query = async () => {
      asked++;
      return [];
    };
    const keyReader = new KeyReader({ query } as unknown as Db);
    const keyUsage = { note: (_row: ApiKeyRow) => {} } as unknown as KeyUsage;
    const verify = (key: string) => verifyApiKey({ keyReader, keyUsage, now: () => new Date() }, key);
    for (let at = 0; at < KEY.length; at++) {
      const wrong = KEY.slice(0, at) + (KEY[at] === "a" ? "b" : "a") + KEY.slice(at + 1);
      expect(await verify(wrong)).toBeUndefined();
      expect(await verify(KEY.slice(0, at) + KEY.slice(at + 1))).toBeUndefined();
    }
    expect(asked).toBe(0);
    expect(parseApiKey(KEY)).toBeDefined();
    expect(await verify(KEY)).toBeUndefined();
    expect(asked).toBe(1);
  });
});
