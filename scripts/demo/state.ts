import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateJson } from "../start/private-file.ts";

export interface DemoTenant {
  id: string;
  name: string;
  api_key: string;
  /** By path of the example consumer. */
  endpoints: Record<string, { id: string; secret: string; keyId: string }>;
}

/** What the demo remembers between starts. */
export interface DemoState {
  consumerPort?: number;
  tenants: DemoTenant[];
}

const pathIn = (dataDir: string) => join(dataDir, "demo-state.json");

export function readState(dataDir: string): DemoState {
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), "utf8")) as DemoState;
  } catch {
    return { tenants: [] };
  }
}

export function saveState(dataDir: string, state: DemoState): void {
  writePrivateJson(pathIn(dataDir), state);
}
