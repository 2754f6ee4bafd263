import { describe, expect, it } from "vitest";
import { FetchSize } from "./fetch-size.ts";

describe("how many jobs to take", () => {
  it("is as many as would fill the room if every job were a large one, as long as nothing else is known", () => {
    expect(new FetchSize().for(1_000)).toBe(20);
    expect(new FetchSize().for(1)).toBe(1);
    expect(new FetchSize().for(0)).toBe(0);
    expect(new FetchSize().for(-7)).toBe(0);
  });

  it("doubles while jobs are small and there are as many as were asked for, up to 200", () => {
    const size = new FetchSize();
    const asked: number[] = [];
    for (let round = 0; round < 6; round++) {
      const jobs = size.for(1_000);
      asked.push(jobs);
      size.learn({ asked: jobs, jobs, deliveries: jobs });
    }
    expect(asked).toEqual([20, 40, 80, 160, 200, 200]);
  });

  it("never takes much more than there is room for when jobs of one become jobs of fifty", () => {
    const size = new FetchSize();
    for (let round = 0; round < 10; round++) {
      const jobs = size.for(1_000);
      // Light load: each time there are fewer than were asked for.
      size.learn({ asked: jobs, jobs: 1, deliveries: 1 });
    }
    expect(size.for(1_000) * 50).toBeLessThanOrEqual(1_000);
  });

  it("keeps to the room when jobs are small", () => {
    const size = new FetchSize();
    for (let round = 0; round < 6; round++)
      size.learn({ asked: size.for(1_000), jobs: size.for(1_000), deliveries: 20 });
    expect(size.for(30)).toBeLessThanOrEqual(30);
  });

  it("learns nothing from an empty queue", () => {
    const size = new FetchSize();
    size.learn({ asked: 20, jobs: 0, deliveries: 0 });
    expect(size.for(1_000)).toBe(20);
  });
});
