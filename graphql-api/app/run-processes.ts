import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { answerMetricsRequests } from '../platform/observe/metrics-of-all.ts';

const RESTART_DELAY_MS = 1_000;

/**
 * Runs several API processes on one port, because one process uses one core. Each is a complete API,
 * as if it were started separately. Restarts a process that died, passes SIGTERM on, and ends after
 * the last process has ended.
 */
export function runProcesses(count: number, log: Logger): void {
  let started = 0;
  let isStopping = false;
  let exitCode = 0;
  const stop = (reason: string, code = 0) => {
    if (isStopping) return;
    isStopping = true;
    exitCode = code;
    log.info({ reason }, 'stopping');
    for (const worker of workers()) worker.process.kill('SIGTERM');
    exitAfterLast();
  };
  const exitAfterLast = () => {
    if (isStopping && workers().length === 0) process.exit(exitCode);
  };
  answerMetricsRequests();
  cluster.on('message', (_worker, message: { readonly kind?: string }) => {
    if (message.kind !== 'listening') return;
    started += 1;
    if (started === count) process.send?.(message);
  });
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    // A normal stop exits with 0. SIGTERM also ends a process that has not installed its handler.
    if (isStopping && code > 0) exitCode = 1;
    if (isStopping) return exitAfterLast();
    // The configuration or the port is at fault, so a restart would not help.
    if (started < count) return stop('a process failed to start', 1);
    log.error({ exitedPid: pid, code, signal }, 'process exited, restarting');
    setTimeout(() => isStopping || cluster.fork(), RESTART_DELAY_MS);
  });
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('supervisor exited'));
  for (let i = 0; i < count; i++) cluster.fork();
}

function workers() {
  return Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined);
}
