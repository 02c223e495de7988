// The ingest process. The main thread locks the spool, keeps the directory of SDK keys and the
// quota leases in sync with Postgres, and runs one worker thread per core; it serves no requests
// itself. If a worker dies, the process exits: the supervisor restarts it, and the spool recovers
// the acknowledged events.

import { machineProblem, thisMachine } from '../schema/environment/supported-machine.ts';
import { type ReadMetrics, startTelemetry, telemetry } from '../schema/telemetry/telemetry.ts';
import { readConfig } from './config.ts';
import { missingSecret } from './gateway/gateway-config.ts';
import { IngestProcess } from './ingest-process.ts';
import { HEAD_BYTES_MAX } from './limits.ts';
import { createLogger } from './observe/logger.ts';

/** The time from SIGTERM to exit, so that a supervisor that kills after 30 s never has to. */
const STOP_TIMEOUT_MS = 28_000;
/** Time for threads to close their connections before a failed process exits. */
const CLOSE_TIMEOUT_MS = 1_000;

async function main(): Promise<void> {
  const unsupported = machineProblem(thisMachine());
  if (unsupported !== undefined) throw new Error(unsupported);
  const config = readConfig(process.env);
  const log = createLogger('ingest', config.logLevel);
  let isFailing = false;
  const fail = () => {
    if (isFailing) return;
    isFailing = true;
    void ingest.closeConnections(CLOSE_TIMEOUT_MS).finally(() => process.exit(1));
  };
  // uWebSockets.js reads this variable when the first worker loads it; its default is 4 KB.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(HEAD_BYTES_MAX);
  const ingest = new IngestProcess(config, log, error => {
    log.fatal({ err: error }, `ingest failed, exiting: ${error.message}`);
    fail();
  });
  // The workers send spans; the metrics of all threads are sent by this one.
  await startTelemetry(process.env, {
    serviceName: 'engagement-ingest',
    version: ingest.build.version,
    readMetrics: async () => {
      const sum = await ingest.scrapes.sum();
      return (sum === undefined ? [] : await sum.getMetricsAsJSON()) as Awaited<
        ReturnType<ReadMetrics>
      >;
    },
  });
  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error('shutdown timed out: acknowledged events are on disk');
      fail();
    }, STOP_TIMEOUT_MS).unref();
    // First, because the metrics are collected from threads, which end below.
    const reported = telemetry()?.stop() ?? Promise.resolve();
    reported
      .then(() => ingest.stop())
      .then(
        () => {
          log.info('stopped');
          process.exit(0);
        },
        error => {
          log.fatal({ err: error }, 'shutdown failed');
          fail();
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('supervisor exited'));
  const missing = missingSecret(config.gateway);
  if (missing !== undefined)
    log.warn(
      { missing },
      'only one of the two webhook secrets is set: events signed with the missing one are refused',
    );
  const ports = await ingest.start();
  if (ports === undefined) return;
  log.info(
    { ...ports, threads: config.threads, cells: Object.keys(config.clickhouseUrls) },
    'listening',
  );
  process.send?.({ kind: 'listening', ...ports });
}

main().catch(error => {
  process.stderr.write(`ingest cannot start: ${(error as Error).message}\n`);
  process.exit(1);
});
