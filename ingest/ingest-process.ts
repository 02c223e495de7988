// Starts and stops the process, and runs the tasks of the main thread.

import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { readBuildInfo } from '../schema/environment/build-info.ts';
import type { LeaseRequest } from './authenticate/check-caps.ts';
import { createQuotaMemory, QuotaBoard } from './authenticate/quota-board.ts';
import { QuotaSlots } from './authenticate/quota-slots.ts';
import { type Clock, createClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { watchDrain } from './drain-watch.ts';
import { findPorts, type Ports } from './find-ports.ts';
import { NodePostgres } from './node-postgres.ts';
import { setProcessGauges } from './observe/process-gauges.ts';
import { createProcessMetrics } from './observe/process-metrics.ts';
import { Scrapes } from './observe/scrapes.ts';
import type { Polling } from './polling.ts';
import { watchQuarantine } from './quarantine-watch.ts';
import { type Settler, startSettlers } from './settle/settler.ts';
import { lockDirectory } from './spool/directory-lock.ts';
import { nodeFileSystem } from './spool/file-system.ts';
import { startReaderThread, startWorker } from './start-worker.ts';
import { Watches } from './tail/watches.ts';
import { FIRST_STATE, type ProcessState, type ToMain } from './thread-messages.ts';
import { workerSetups } from './worker-setups.ts';
import { WorkerThreads } from './worker-threads.ts';

export class IngestProcess {
  private readonly config: Config;
  private readonly log: Logger;
  private readonly onFatal: (error: Error) => void;
  private readonly threads = new WorkerThreads();
  private readonly quotaMemory = createQuotaMemory();
  private readonly board = new QuotaBoard(this.quotaMemory);
  private readonly slots: QuotaSlots;
  readonly build = readBuildInfo(process.env);
  private readonly metrics = createProcessMetrics(this.build, () =>
    setProcessGauges(this.metrics, {
      follower: this.postgres?.follower,
      watchedWorkspaces: this.watches.size,
      uncountedScopes: this.slots.missing,
      quarantined: this.state.quarantined,
    }),
  );
  readonly scrapes: Scrapes;
  private readonly watches: Watches;
  private lock: { release(): void } | undefined;
  private postgres: NodePostgres | undefined;
  private quarantine: Polling | undefined;
  private drainWatch: Polling | undefined;
  private settlers: readonly Settler[] = [];
  private state = FIRST_STATE;
  private readonly clock: Clock;
  private stopPreparing: () => Promise<void> = async () => undefined;
  private isStopping = false;
  private starting: Promise<Ports | undefined> | undefined;

  constructor(config: Config, log: Logger, onFatal: (error: Error) => void) {
    this.config = config;
    this.log = log;
    this.onFatal = onFatal;
    this.clock = createClock(config.clockFile);
    this.slots = new QuotaSlots(this.board, log);
    this.scrapes = new Scrapes({
      threads: config.threads + (hasReaderThread(config) ? 1 : 0),
      registry: this.metrics.registry,
      collect: ask => this.threads.tellAll({ kind: 'collect', ask }),
    });
    this.watches = new Watches({
      threads: config.threads,
      clock: this.clock,
      onChange: (workspaceIds, revision) =>
        this.threads.tellAll({ kind: 'watched', workspaceIds, revision }),
    });
  }

  /**
   * Resolves to the ports once all threads serve; requests return 503 until a directory is loaded.
   * Undefined if the process was stopped before.
   */
  start(): Promise<Ports | undefined> {
    this.starting = this.startAll();
    return this.starting;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    // A thread that receives a drain before a listen message would end with an open port, which
    // aborts the process. So the start stops at its next step.
    await this.starting?.catch(() => undefined);
    const drained = this.threads.all('drained');
    this.watches.stop();
    this.threads.tellAll({ kind: 'drain' });
    await drained;
    await Promise.all([
      this.stopPreparing(),
      this.postgres?.stop(),
      this.quarantine?.stop(),
      this.drainWatch?.stop(),
      ...this.settlers.map(settler => settler.stop()),
    ]);
    await this.threads.terminate();
    this.lock?.release();
  }

  /**
   * For a process that cannot continue: closes the ports and connections of its threads, because a
   * thread that ends with one of them open aborts the process. Waits no longer than necessary for
   * that.
   */
  async closeConnections(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    const closed = this.threads.all('closed');
    this.threads.tellAll({ kind: 'close' });
    await Promise.race([closed, systemClock.sleep(timeoutMs)]);
  }

  private async startAll(): Promise<Ports | undefined> {
    const { config } = this;
    const ports = await findPorts(config);
    const root = join(config.dataDirectory, 'ingest');
    await nodeFileSystem.makeDirectory(root);
    const lock = lockDirectory(root);
    if (lock === 'taken')
      throw new Error(
        `Another ingest process is using the spool in ${root}. Stop it, or set another DATA_DIR for this one.`,
      );
    this.lock = lock;
    if (this.isStopping) return undefined;
    this.postgres = this.connectPostgres();
    await this.startWorkers(root);
    if (this.isStopping) return undefined;
    this.quarantine = watchQuarantine({
      fs: nodeFileSystem,
      spool: join(root, 'spool'),
      clock: systemClock,
      log: this.log,
      onChange: quarantined => this.changeState({ quarantined }),
    });
    this.followPostgres(join(root, 'directory.snapshot'));
    this.drainWatch = this.watchDrain(root);
    this.settlers = startSettlers(config.clickhouseUrls, this.metrics, this.log);
    await this.listen(ports);
    return ports;
  }

  private watchDrain(root: string): Polling {
    return watchDrain({
      fs: nodeFileSystem,
      root,
      clock: systemClock,
      log: this.log,
      refuse: async () => {
        const refusing = this.threads.all('refusing');
        this.threads.tellAll({ kind: 'refuse' });
        await refusing;
      },
    });
  }

  private async startWorkers(root: string): Promise<void> {
    const { config, build, quotaMemory, log } = this;
    const { brokers } = config;
    // Before the threads, whose first messages must find their listener.
    const topics = brokers && (await import('./replicated-log/prepare-topics.ts'));
    for (const setup of await workerSetups({ config, build, quotaMemory, root, log }))
      this.addThread(startWorker(setup));
    if (brokers !== undefined && topics !== undefined) {
      const cells = Object.keys(config.clickhouseUrls);
      this.stopPreparing = topics.prepareTopics(brokers, cells, { clock: systemClock, log });
      if (hasReaderThread(config)) this.addThread(startReaderThread({ config, brokers, build }));
    }
    await this.threads.all('opened');
  }

  private addThread(worker: Worker): void {
    const index = this.threads.add(worker);
    worker.on('message', (message: ToMain) => this.receive(index, message));
    worker.on('error', error => this.onFatal(error as Error));
    worker.on('exit', code => {
      if (!this.isStopping)
        this.onFatal(new Error(`Worker thread ${index} exited with code ${code}.`));
    });
    this.threads.tell(index, {
      kind: 'outbox',
      isConnected: this.postgres!.links.isOutboxConnected,
    });
  }

  private connectPostgres(): NodePostgres {
    const { config, log, board, clock, metrics } = this;
    return new NodePostgres({
      databaseUrl: config.databaseUrl,
      board,
      clock,
      log,
      metrics,
      onOutbox: isConnected => this.threads.tellAll({ kind: 'outbox', isConnected }),
      onOutcomes: (thread, outcomes) => this.threads.tell(thread, { kind: 'outcomes', outcomes }),
      onCountedAlone: amount => metrics.capsCountedAlone.inc(amount),
    });
  }

  private followPostgres(snapshotPath: string): void {
    const { slots, clock } = this;
    this.postgres!.follow({
      snapshotPath,
      onDirectory: (change, data) => {
        slots.assign(data, clock.nowMs());
        this.threads.tellAll({ kind: 'directory', change, slots: slots.takeChanges() });
      },
      onState: ({ isReachable }) => {
        this.changeState({ isPostgresReachable: isReachable });
      },
      onCampaigns: changes => this.threads.tellAll({ kind: 'campaigns', changes }),
      release: this.build.version,
      onSchemaProblem: problem => this.onFatal(new Error(problem)),
      onFirstLook: () => this.changeState({ isFirstLookDone: true }),
    });
  }

  private async listen(ports: Ports): Promise<void> {
    const listening = this.threads.all('listening');
    this.threads.tellAll({ kind: 'listen', ports });
    await listening;
  }

  private receive(index: number, message: ToMain): void {
    switch (message.kind) {
      case 'lease':
        void this.lease(index, message.ask, message.request);
        return;
      case 'items':
        this.postgres!.items.receive(index, message.items);
        return;
      case 'keys-used':
        this.postgres!.keyUses.note(message.keyIds);
        return;
      case 'scrape':
        void this.scrape(index, message.ask);
        return;
      case 'tapped':
        this.watches.receive(index, message.tapped);
        return;
      case 'tail':
        void this.watches.ask(message.workspaceId, message.after).then(text => {
          this.threads.tell(index, { kind: 'tailed', ask: message.ask, text });
        });
        return;
      case 'collected':
        this.scrapes.receive(message.ask, message.metrics);
        return;
      case 'opened':
      case 'listening':
      case 'refusing':
      case 'drained':
      case 'closed':
        this.threads.received(index, message.kind);
        return;
    }
  }

  private async lease(index: number, ask: number, request: LeaseRequest): Promise<void> {
    try {
      await this.postgres!.leases.ask(request);
      this.threads.tell(index, { kind: 'leased', ask });
    } catch (error) {
      this.threads.tell(index, { kind: 'leased', ask, error: String(error) });
    }
  }

  private async scrape(index: number, ask: number): Promise<void> {
    this.threads.tell(index, { kind: 'metrics', ask, text: await this.scrapes.scrape() });
  }

  private changeState(changes: Partial<ProcessState>): void {
    this.state = { ...this.state, ...changes };
    this.threads.tellAll({ kind: 'state', state: this.state });
  }
}

function hasReaderThread({ brokers, role }: Config): boolean {
  return brokers !== undefined && role !== 'accept';
}
