import { testSeed } from "./run-seed.ts";

testSeed(2);
