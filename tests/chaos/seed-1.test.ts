import { testSeed } from "./run-seed.ts";

testSeed(1);
