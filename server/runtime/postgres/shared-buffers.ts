import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/**
 * What the embedded PostgreSQL keeps of its tables in memory of its own, in MiB: a sixteenth of the machine's, from 128 to
 * 512. With less than a busy minute writes, each page is written out and read again in between.
 */
export function sharedBuffersMiB(machineBytes: number): number {
  return Math.round(Math.min(512, Math.max(128, machineBytes / 16 / MIB)));
}

/** Bytes of memory that there are for all processes of this machine, or of the container that this one runs in. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
