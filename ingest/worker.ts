// A worker thread: an HTTP server on the shared port, and one spool log per cell with its readers. It
// receives keys, caps and campaigns from the main thread, which also runs its Postgres statements.

import { parentPort, workerData } from 'node:worker_threads';
import { v7 as uuidV7 } from 'uuid';
import { startTelemetry, telemetry } from '../schema/telemetry/telemetry.ts';
import { RecentIds } from './accept/recent-ids.ts';
import { CapCheck } from './authenticate/check-caps.ts';
import { Directory } from './authenticate/directory.ts';
import { KeyUses } from './authenticate/key-uses.ts';
import { QuotaBoard } from './authenticate/quota-board.ts';
import { CampaignBook } from './campaigns/campaign-book.ts';
import { type CellPipeline, TICK_MS } from './cell-pipeline.ts';
import { createClock } from './clock.ts';
import { createRouters, type EndpointDeps } from './endpoints.ts';
import { WebhookSecrets } from './gateway/webhook-secrets.ts';
import { corsHeaders, preflightReply } from './http/cors.ts';
import { ThreadServers } from './http/thread-servers.ts';
import { DRAIN_INSERTS_MS, DRAIN_REQUESTS_MS, KEY_USES_INTERVAL_MS } from './limits.ts';
import { logOpeners } from './log-openers.ts';
import { createLogger } from './observe/logger.ts';
import { createMetrics } from './observe/metrics.ts';
import { recordReply } from './observe/record-reply.ts';
import { reportSeldom } from './observe/report-seldom.ts';
import { reportUnavailable } from './observe/report-unavailable.ts';
import { ThreadGauges } from './observe/thread-gauges.ts';
import { ThreadDatabase } from './postgres/thread-database.ts';
import { Questions } from './questions.ts';
import type { BrokerLog } from './replicated-log/broker-log.ts';
import { RequeuedLogs } from './requeued-logs.ts';
import { nodeFileSystem } from './spool/file-system.ts';
import { Tap } from './tail/tap.ts';
import { FIRST_STATE, type ToMain, type ToWorker, type WorkerSetup } from './thread-messages.ts';
import { threadReadiness } from './thread-readiness.ts';

const setup = workerData as WorkerSetup;
const port = parentPort!;
const { config } = setup;
const log = createLogger('ingest', config.logLevel).child({ thread: setup.index });
await startTelemetry(process.env, {
  serviceName: 'engagement-ingest',
  version: setup.build.version,
});
const metrics = createMetrics();
const gauges = new ThreadGauges(metrics);
const clock = createClock(config.clockFile);

let directory: Directory | undefined;
const campaigns = new CampaignBook();
const keyUses = new KeyUses();
const taps = new Tap(tapped => tell({ kind: 'tapped', tapped }));
const webhookSecrets = new WebhookSecrets({
  config: config.gateway,
  encryptionKeys: config.encryptionKeys,
  log,
  onUnreadable: secrets => metrics.gatewaySecretsUnreadable.set(secrets),
});
let state = FIRST_STATE;
/** `isLeaving`: not ready. `isDraining`: also responds with 503 and closes each connection. */
let isLeaving = setup.isRefusing;
let isDraining = setup.isRefusing;
/** Whether the spool is being drained: nothing is accepted before a restart. */
let isRefusing = setup.isRefusing;
const questions = new Questions(tell);

const database = new ThreadDatabase(items => tell({ kind: 'items', items }));
const { budgets, openPipeline, openLogs } = logOpeners(setup, { clock, metrics, log, database });
const pipelines: CellPipeline[] = [];
for (const assignment of setup.logs) pipelines.push(await openPipeline(assignment));
if (isRefusing) await Promise.all(pipelines.map(pipeline => pipeline.seal()));
const requeuedLogs =
  setup.index === 0
    ? new RequeuedLogs({ fs: nodeFileSystem, logs: setup.logs, pipelines, log, open: openPipeline })
    : undefined;
const brokerLogs = await openLogs();
const pipelineByCell = new Map<string, CellPipeline | BrokerLog>();
for (const [i, { cell, takesFrames }] of setup.logs.entries())
  if (takesFrames) pipelineByCell.set(cell, pipelines[i]!);
for (const brokerLog of brokerLogs) pipelineByCell.set(brokerLog.cell, brokerLog);

const servers = new ThreadServers(config, routers(), {
  connectionsMax: setup.connectionsMax,
  onConnectionRefused: () => metrics.connectionsRefused.inc(),
  preflight: (incoming, endpoint) => preflightReply(directory, incoming, endpoint),
  corsFor: ({ origin }) =>
    origin !== '' && directory?.isOriginAllowedBySomeKey(origin) ? corsHeaders(origin) : [],
  newId: uuidV7,
  onReply: (path = 'other', { status }, ms, bodyBytes, requestId) =>
    recordReply({ metrics, log }, { endpoint: path, status, ms, bodyBytes, requestId }),
  onError: ({ method, path }, requestId, error) =>
    log.error({ requestId, method, path, err: error }, 'request failed'),
});

// Applies to uncaught exceptions as well: a thread that ends with its port open aborts the process.
process.once('exit', () => servers.close());
const ticking = setInterval(tick, TICK_MS);
const telling = setInterval(tellKeyUses, KEY_USES_INTERVAL_MS);
port.on('message', (message: ToWorker) => receive(message));
tell({ kind: 'opened' });

function routers() {
  const caps = new CapCheck({
    board: new QuotaBoard(setup.quotaMemory),
    askLease: async request => {
      await questions.ask(number => ({ kind: 'lease', ask: number, request }));
    },
    onUncounted: amount => metrics.capsUncounted.inc(amount),
    onRefused: account => gauges.noteThrottled(account),
  });
  const deps: EndpointDeps = {
    internalTokens: config.internalTokens,
    build: setup.build,
    clock,
    caps,
    keyUses,
    newId: uuidV7,
    variantOf: (workspaceId, campaignId, userId) =>
      campaigns.variantOf(workspaceId, campaignId, userId),
    recent: new RecentIds(setup.recentIds),
    metrics,
    database,
    campaigns,
    directory: () => directory,
    isDraining: () => isDraining,
    pipeline: cell => pipelineByCell.get(cell),
    taps,
    askTail: async (workspaceId, after) => {
      const text = await questions.ask(ask => ({ kind: 'tail', ask, workspaceId, after }));
      return text === '' ? undefined : text;
    },
    webhookSecrets,
    webhookToleranceMs: config.gateway.toleranceMs,
    onForgery: reportSeldom(log, clock, 'gateway webhook refused: invalid signature'),
    onUnavailable: reportUnavailable(log, clock),
    readiness,
    scrape: () => questions.ask(number => ({ kind: 'scrape', ask: number })),
  };
  return createRouters(deps, config);
}

function readiness() {
  return threadReadiness({
    isLeaving,
    isRefusing,
    hasDirectory: directory !== undefined,
    state,
    pipelineByCell,
    budgets: [...budgets.values()],
  });
}

function tick(): void {
  for (const pipeline of [...pipelines, ...brokerLogs]) pipeline.tick();
  requeuedLogs?.tick();
}

function tellKeyUses(): void {
  // Sent even if empty, because the main thread then writes uses that it could not write before.
  tell({ kind: 'keys-used', keyIds: keyUses.take() });
}

function receive(message: ToWorker): void {
  switch (message.kind) {
    case 'directory':
      directory ??= new Directory();
      directory.apply(message.change, message.slots);
      webhookSecrets.apply(message.change);
      return;
    case 'campaigns':
      campaigns.apply(message.changes);
      return;
    case 'state':
      state = message.state;
      return;
    case 'listen':
      servers.listen(message.ports).then(
        () => tell({ kind: 'listening' }),
        error => {
          throw error;
        },
      );
      return;
    case 'leased':
      questions.settle(message.ask, message.error === undefined ? '' : undefined, message.error);
      return;
    case 'metrics':
      questions.settle(
        message.ask,
        message.text,
        'A thread did not respond to the scrape in time.',
      );
      return;
    case 'outbox':
      database.setOutboxConnected(message.isConnected);
      return;
    case 'outcomes':
      database.settle(message.outcomes);
      return;
    case 'watched':
      taps.watch(message.workspaceIds, message.revision);
      return;
    case 'tailed':
      questions.settle(message.ask, message.text ?? '');
      return;
    case 'collect':
      void collect(message.ask);
      return;
    case 'refuse':
      void refuse();
      return;
    case 'drain':
      void drain();
      return;
    case 'close':
      servers.close();
      tell({ kind: 'closed' });
      return;
  }
}

async function collect(number: number): Promise<void> {
  gauges.set(pipelines);
  tell({ kind: 'collected', ask: number, metrics: await metrics.registry.getMetricsAsJSON() });
}

/**
 * For `npm run spool -- drain`: accepts nothing more, and delivers the remaining rows. The port
 * stays open, so that `/readyz` shows the progress.
 */
async function refuse(): Promise<void> {
  isRefusing = true;
  isLeaving = true;
  await clock.sleep(config.drainNoticeMs);
  isDraining = true;
  await Promise.race([servers.idle(), clock.sleep(DRAIN_REQUESTS_MS)]);
  await Promise.all(pipelines.map(pipeline => pipeline.seal()));
  tell({ kind: 'refusing' });
}

/** Order: not ready, then no new connections, then the open requests, then the spool. */
async function drain(): Promise<void> {
  isLeaving = true;
  await clock.sleep(config.drainNoticeMs);
  isDraining = true;
  servers.stopListening();
  const proxiesLeft = clock.sleep(config.drainNoticeMs);
  await Promise.race([servers.idle(), clock.sleep(DRAIN_REQUESTS_MS)]);
  clearInterval(ticking);
  clearInterval(telling);
  taps.stop();
  tellKeyUses();
  await requeuedLogs?.stop();
  await Promise.all(brokerLogs.map(brokerLog => brokerLog.close()));
  await Promise.all(pipelines.map(pipeline => pipeline.close(DRAIN_INSERTS_MS)));
  database.stop();
  await proxiesLeft;
  servers.close();
  await telemetry()?.stop();
  tell({ kind: 'drained' });
}

function tell(message: ToMain): void {
  port.postMessage(message);
}
