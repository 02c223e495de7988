import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/**
 * A one-line description of the machine; if called before the measurement, it includes the other
 * load.
 */
export function machineText(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${model}), ${memory} GB, Linux ${release()}, Node ${process.version}; ` +
    `load average before: ${loadavg()[0]!.toFixed(1)}.`
  );
}
