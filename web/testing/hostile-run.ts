import { conformance } from "#server/http/openapi/testing-conformance.ts";
import type { TestApi } from "../test-support.ts";
import { type ApiCall, document } from "./api-calls.ts";
import { Probe } from "./probe.ts";
import type { RawRequest } from "./raw-client.ts";
import { type RightRequest, rightRequest } from "./right-request.ts";
import { openStaffApi } from "./staff-api.ts";

export interface HostileCase {
  /** What is wrong with it, for messages. */
  name: string;
  spoil(right: RightRequest): RawRequest;
}

export interface HostileRun {
  api: TestApi;
  /** What the server has logged as an error. */
  logged: unknown[];
  /** How many requests were sent. */
  sent(): number;
  /** Sends every case of a call; gives each answer that is not as the contract wants it. */
  attack(call: ApiCall, cases: readonly HostileCase[]): Promise<string[]>;
  close(): Promise<void>;
}

// As many as keep both the server and the database busy on two cores.
const LANES = 4;
const MAX_SHOWN = 8;

/** The headers of a request as pairs, some of them replaced; `null` takes one away. */
export function headersOf(
  { headers }: RightRequest,
  other: Readonly<Record<string, string | null>> = {},
): [string, string][] {
  return Object.entries({ ...headers, ...other }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
}

/** Where a request goes that is as it should be. */
export const targetOf = ({ path }: RightRequest) => `/api/v1${path}`;

/** Opens the API for requests of any shape. */
export async function openHostileRun(): Promise<HostileRun> {
  const api = await openStaffApi();
  const logged: unknown[] = [];
  const { log } = api.services;
  log.error = log.fatal = (...told: unknown[]) => void logged.push(told[0]);
  const options = { port: api.server.port, origin: api.server.origin, conformance: conformance(document) };
  const lanes = Array.from({ length: LANES }, () => new Probe(options));

  async function attack(call: ApiCall, cases: readonly HostileCase[]): Promise<string[]> {
    const waiting = [...cases];
    const work = async (probe: Probe) => {
      const bad: string[] = [];
      let taken = 0;
      let right = await rightRequest(api, call);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const answer = await probe.send(next.spoil(right));
        if (answer.defects.length > 0)
          bad.push(
            `${call.name}, ${next.name}: ${answer.defects.join("; ")} — ${answer.status} ${answer.text.slice(0, 300)}`,
          );
        if (answer.status < 300 && isSpent(call, ++taken)) right = await rightRequest(api, call);
      }
      return bad;
    };
    const found = (await Promise.all(lanes.map(work))).flat();
    return found.length > MAX_SHOWN
      ? [...found.slice(0, MAX_SHOWN), `and ${found.length - MAX_SHOWN} more`]
      : found;
  }

  return {
    api,
    logged,
    sent: () => lanes.reduce((sum, { sent }) => sum + sent, 0),
    attack,
    async close() {
      for (const lane of lanes) lane.close();
      await api.close();
    },
  };
}

/**
 * Whether the next request needs resources of its own: what was taken may have changed or ended those of the path, has
 * used up its key, or brings its tenant near the most that one may have.
 */
function isSpent({ operation, pathParameters }: ApiCall, taken: number): boolean {
  if (operation.method === "GET") return false;
  return pathParameters.length > 0 || operation.idempotencyKey === "required" || taken % 50 === 0;
}
