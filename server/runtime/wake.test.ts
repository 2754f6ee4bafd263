import { expect, it, onTestFinished } from "vitest";
import { connect, withTransaction } from "#db/client.ts";
import { openSession } from "#db/session.ts";
import { createTestDatabase } from "#tests/database.ts";
import { eventually } from "#tests/eventually.ts";
import { FRESH_ONLY } from "../queue/wake-workers.ts";
import { createWaker, WAKE_CHANNEL } from "./wake.ts";

async function openWaker() {
  const database = await createTestDatabase();
  const db = connect(database.url, { name: "wake-test" });
  const session = await openSession(database.url, "wake-test");
  onTestFinished(async () => {
    await session.close();
    await db.close();
    await database.drop();
  });
  const heard: string[] = [];
  await session.listen(WAKE_CHANNEL, (payload) => heard.push(payload));
  return { db, wake: createWaker(db), heard };
}

it("says whether nothing but fresh work has come", async () => {
  const { wake, heard } = await openWaker();
  wake(FRESH_ONLY);
  await eventually(() => expect(heard).toEqual(["fresh"]));
  wake();
  await eventually(() => expect(heard).toEqual(["fresh", ""]));
});

it("answers calls that come meanwhile by one more, which keeps none of them from being heard", async () => {
  const { wake, heard } = await openWaker();
  wake(FRESH_ONLY);
  wake(FRESH_ONLY);
  wake();
  wake(FRESH_ONLY);
  await eventually(() => expect(heard).toEqual(["fresh", ""]));
});

it("says it once a transaction has committed, and nothing of one that is undone", async () => {
  const { db, wake, heard } = await openWaker();
  const undone = withTransaction(db, async (tx) => {
    wake(undefined, tx);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await withTransaction(db, async (tx) => {
    wake(FRESH_ONLY, tx);
    await tx.query("select 1");
    expect(heard).toEqual([]);
  });
  await eventually(() => expect(heard).toEqual(["fresh"]));
});
