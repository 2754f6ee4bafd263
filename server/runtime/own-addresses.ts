import { networkInterfaces } from "node:os";

/** The addresses of this machine's network interfaces, public ones too. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}
