import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "#server/new-id.ts";
import { type RowKeys, runsOf } from "./id-runs.ts";

const [A, B] = [newId(), newId()];

/** Ids that were made one right after the other, all within a millisecond. */
function sequel(count: number): string[] {
  for (;;) {
    const ids = Array.from({ length: count }, newId);
    const [first = "", last = ""] = [ids[0], ids.at(-1)];
    if (first.slice(0, 23) === last.slice(0, 23) && first.slice(24, 28) < last.slice(24, 28)) return ids;
  }
}
const runs = (ids: readonly string[], tenantIds = ids.map(() => A), jobIds?: readonly string[]) => {
  const { least, greatest } = runsOf({ tenantIds, ids, ...(jobIds ? { jobIds } : {}) });
  return least.map((id, n) => [ids.indexOf(id), ids.indexOf(greatest[n] ?? "")]);
};

it("takes together what was made together", () => {
  expect(runs(sequel(50))).toEqual([[0, 49]]);
  expect(runs(sequel(50).filter((_, n) => n % 5 === 0))).toEqual([[0, 9]]);
});

it("looks apart for what is far apart, or of another time", () => {
  expect(runs(sequel(13).filter((_, n) => n % 6 === 0))).toHaveLength(3);
  const one = newId();
  expect(runs([one, one])).toHaveLength(1);
  expect(runs([one, `${one.slice(0, 12)}${one[12] === "0" ? "1" : "0"}${one.slice(13)}`])).toHaveLength(2);
});

it("keeps tenants and jobs apart", () => {
  const ids = sequel(4);
  expect(runs(ids, [A, A, B, B])).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(runs(ids, undefined, ["j", "k", "k", "k"])).toEqual([
    [0, 0],
    [1, 3],
  ]);
});

it("names each key in one run of its tenant and job, in whatever order and however often they are given", () => {
  const key = fc.record({
    id: fc.constantFrom(...sequel(20), ...sequel(3)),
    tenantId: fc.constantFrom(A, B),
    jobId: fc.constantFrom("j", "k"),
  });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
      const named: RowKeys = {
        tenantIds: keys.map(({ tenantId }) => tenantId),
        ids: keys.map(({ id }) => id),
        jobIds: keys.map(({ jobId }) => jobId),
      };
      const { tenantIds, jobIds, least, greatest } = runsOf(named);
      for (const { tenantId, jobId, id } of keys) {
        const holding = least.filter(
          (from, n) =>
            tenantIds[n] === tenantId && jobIds[n] === jobId && from <= id && id <= (greatest[n] ?? ""),
        );
        expect(holding).toHaveLength(1);
      }
    }),
  );
});
