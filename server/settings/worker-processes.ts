/** More than four share one PostgreSQL's time without any of them having more to do. */
const MOST = 4;

/** How many delivery workers one machine runs unless told otherwise: one for each core, four at most. */
export const workerProcesses = (cores: number): number => Math.max(1, Math.min(MOST, cores));
