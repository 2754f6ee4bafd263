/** Milliseconds that this thread's processor spends on `work`: what else the machine does has little part in it. */
export function cpuMsOf(work: () => unknown): number {
  const started = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}
