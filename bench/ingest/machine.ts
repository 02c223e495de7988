import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** What it was measured on, in a line; called before, it tells what else the machine was doing. */
export function machineText(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${model}), ${memory} GB, Linux ${release()}, Node ${process.version}; ` +
    `load of the machine before: ${loadavg()[0]!.toFixed(1)}.`
  );
}
