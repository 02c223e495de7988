// npm start: runs the whole service on one machine until it is stopped.

import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLogger } from '../ingest/observe/logger.ts';
import { lockDirectory } from '../ingest/spool/directory-lock.ts';
import { machineProblem, thisMachine } from '../schema/environment/supported-machine.ts';
import { readConfig } from './config.ts';
import { clockFile, removeOpened } from './opened.ts';
import { type Started, startParts } from './parts.ts';
import { clusterDirectory } from './postgres/cluster.ts';
import { killPostmaster } from './postgres/postmaster.ts';

/** npm repeats a Ctrl-C that the terminal has already sent; only a later one counts as a second one. */
const SECOND_SIGNAL_AFTER_MS = 1_000;
/** Each part limits its own stop; this limit applies if a part exceeds it. */
const STOP_MAX_MS = 28_000;
/** The time for a killed part to end its own children. */
const KILL_MAX_MS = 1_000;

async function main(): Promise<number> {
  const unsupported = machineProblem(thisMachine());
  if (unsupported !== undefined) throw new Error(unsupported);
  const config = readConfig(process.env);
  const started: Started[] = [];
  const killAll = () => killEverything(started, config.dataDir);
  const stopping = stopSignal(killAll);
  // The files in the data directory are private.
  process.umask(0o077);
  makeDataDirectory(config.dataDir);
  const lock = lockDirectory(config.dataDir);
  if (lock === 'taken') {
    throw new Error(
      `The service is already running in ${config.dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  const log = createLogger('start', config.logLevel);
  try {
    await startParts({ config, env: programEnvironment(config.dataDir), log, started, stopping });
    await new Promise(resolve => stopping.addEventListener('abort', resolve, { once: true }));
    return 0;
  } catch (error) {
    if (stopping.aborted) return 0;
    throw error;
  } finally {
    removeOpened(config.dataDir);
    await stopAll(started, log, killAll);
    lock.release();
  }
}

function programEnvironment(dataDir: string): NodeJS.ProcessEnv {
  // The whole service stops, so there is no other node to which a proxy could send requests.
  const { env } = process;
  return {
    ...env,
    DRAIN_NOTICE_MS: env.DRAIN_NOTICE_MS?.trim() || '0',
    // In production, the clock cannot be set forward.
    ...(env.NODE_ENV !== 'production' && { CLOCK_FILE: clockFile(dataDir) }),
  };
}

function makeDataDirectory(dataDir: string): void {
  const firstMade = mkdirSync(dataDir, { recursive: true });
  // When started by root, Postgres runs as another user, who must enter the directory; the files
  // stay private.
  if (firstMade !== undefined && process.getuid?.() === 0) chmodSync(dataDir, 0o711);
}

/**
 * Aborted by the first signal to stop. The time limit runs from then on, whatever the service is
 * doing. A second signal ends all parts immediately.
 */
function stopSignal(killAll: () => never): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        setTimeout(killAll, STOP_MAX_MS);
        controller.abort();
      } else if (performance.now() - firstAt > SECOND_SIGNAL_AFTER_MS) {
        killAll();
      }
    });
  }
  return controller.signal;
}

/** In the reverse order of the start: senders first, then receivers. */
async function stopAll(
  started: readonly Started[],
  log: Logger,
  killAll: () => never,
): Promise<void> {
  // Also applies if the stop was caused by a failed start and not by a signal.
  const deadline = setTimeout(killAll, STOP_MAX_MS);
  for (const part of started.toReversed()) {
    await part.stop().catch((error: unknown) => {
      log.error({ part: part.name, err: error }, 'program did not stop cleanly, killing it');
      part.kill();
    });
  }
  clearTimeout(deadline);
}

function killEverything(started: readonly Started[], dataDir: string): never {
  for (const part of started) part.kill();
  // The other parts exit when their parent exits; only Postgres would keep running.
  killPostmaster(clusterDirectory(join(dataDir, 'postgres')), KILL_MAX_MS);
  process.exit(1);
}

// A closed terminal or pipe does not stop the service.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

main().then(
  code => process.exit(code),
  async (error: unknown) => {
    process.stderr.write(`start: ${error instanceof Error ? error.message : String(error)}\n`);
    await wait(0);
    process.exit(1);
  },
);
