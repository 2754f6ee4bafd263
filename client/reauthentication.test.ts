import { describe, expect, it } from "vitest";
import { problemOf } from "#sdk/api-problem.ts";
import { askBy, withReauthentication } from "./reauthentication.ts";

const refusal = (slug: string) =>
  problemOf(
    { status: 403, headers: new Headers({ "content-type": "application/problem+json" }) },
    { type: `https://x/problems/${slug}`, title: slug, status: 403 },
    0,
  );
const needed = refusal("reauthentication-required");

/** A call that is refused until somebody has answered. */
function guarded() {
  let isOpen = false;
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (!isOpen) throw needed;
    return "done";
  };
  return {
    work,
    open: () => {
      isOpen = true;
    },
    calls: () => calls,
  };
}

describe("withReauthentication", () => {
  it("makes the call once more after the password was given", async () => {
    const { work, open, calls } = guarded();
    const stop = askBy(async () => open());
    expect(await withReauthentication(work)).toBe("done");
    expect(calls()).toBe(2);
    stop();
  });

  it("asks once for calls that are refused together", async () => {
    const { work, open } = guarded();
    let questions = 0;
    const stop = askBy(async () => {
      questions += 1;
      await Promise.resolve();
      open();
    });
    expect(await Promise.all([withReauthentication(work), withReauthentication(work)])).toEqual([
      "done",
      "done",
    ]);
    expect(questions).toBe(1);
    stop();
  });

  it("gives the refusal to whoever declines, and where nobody can be asked", async () => {
    const stop = askBy(() => Promise.reject(new Error("declined")));
    await expect(withReauthentication(guarded().work)).rejects.toBe(needed);
    stop();
    await expect(withReauthentication(guarded().work)).rejects.toBe(needed);
  });

  it("asks for nothing when the call is refused for another reason", async () => {
    const forbidden = refusal("forbidden");
    const stop = askBy(() => Promise.reject(new Error("was asked")));
    await expect(withReauthentication(() => Promise.reject(forbidden))).rejects.toBe(forbidden);
    stop();
  });
});
