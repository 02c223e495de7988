// Runs all ClickHouse queries. A query reads the rows of one workspace: the statement must contain
// {workspaceId:UUID}, and ClickHouse filters every table by it (additional_table_filters). Queries are
// read-only, limited in time, rows, bytes and memory, and only a few run at the same time.

import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import type { Logger } from 'pino';
import { DOWNLOAD_SLOTS, type DownloadFormat, openDownload, type ScopedQuery } from './download.ts';
import { type Maintenance, maintain } from './maintenance.ts';
import { connectReplicas, type ReplicaClients } from './replica-clients.ts';
import { REPORT_LIMITS } from './report-limits.ts';
import { createSlots, type Slots } from './slots.ts';
import { openTransfer, type Transfer } from './transfer.ts';
import { isAway, refusalOf, unavailable } from './warehouse-refusal.ts';
import { requireUuid, workspaceFilters } from './workspace-filters.ts';

type Question = {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** Contains `workspace_id = {workspaceId:UUID}`. Values from clients are always parameters. */
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type Warehouses = {
  /**
   * Queries the workspace's cell. Rejects with REPORT_TOO_LARGE if the query exceeds a limit, and with
   * REPORT_UNAVAILABLE if the cell is not available.
   */
  ask<Row>(question: Question): Promise<Row[]>;
  /**
   * Streams the result of a query in a format of ClickHouse. Rejects as `ask` does until the first byte;
   * a later failure ends the stream with an error. The caller must read or destroy it.
   */
  download(question: Question, format: DownloadFormat): Promise<Readable>;
  /** Reads and deletes whole sets of rows of the workspace, for jobs and downloads. */
  maintenance(
    organizationId: string,
    workspaceId: string,
    signal?: AbortSignal,
  ): Promise<Maintenance>;
  /**
   * The same, for each cell that has rows of the workspace: its own first, then that of a move that is
   * not finished. What deletes rows must delete them everywhere, or the move brings them back.
   */
  copies(
    organizationId: string,
    workspaceId: string,
    signal: AbortSignal,
  ): Promise<readonly Maintenance[]>;
  /** Reads the rows of the workspace in two cells, by slug, and copies them from one to the other. */
  between(
    workspaceId: string,
    cells: { readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<Transfer>;
  /** The slug of the workspace's cell. */
  cellOf(organizationId: string, workspaceId: string): Promise<string>;
  close(): Promise<void>;
};

/** The cells of workspaces. */
export type Cells = {
  slugOf(organizationId: string, workspaceId: string): Promise<string>;
  /** Other cells with rows of the workspace, because of an unfinished move. */
  otherSlugsOf(workspaceId: string): Promise<readonly string[]>;
};

type WarehousesOptions = {
  /** By the slug of the cell. */
  readonly urls: Readonly<Record<string, string>>;
  readonly cells: Cells;
  /** Whether the tables of all shards are read; false if undefined. */
  readonly isCluster?: boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Called after each query, with its duration. */
  readonly onAsked?: (outcome: 'answered' | 'failed', seconds: number) => void;
};

type Warehouse = {
  readonly cell: string;
  readonly servers: ReplicaClients;
  /** For maintenance, which sets its own limits. */
  readonly patient: ReplicaClients;
  readonly slots: Slots;
  readonly downloadSlots: Slots;
  readonly breaker: CircuitBreakerPolicy;
};

/** The execution time plus the network. */
const ANSWER_TIMEOUT_MS = 12_000;
/** Less than the idle timeout of servers, which is 3 s or more. */
const IDLE_SOCKET_MS = 2_000;
/** A lost connection is retried once. */
const RETRY_AFTER_MS = 50;
/** After this many consecutive connection failures, queries fail immediately, so that requests do not
 * hold their Postgres connections while they wait. */
const FAILURES_IN_A_ROW = 3;
/** After this time, one query is tried again. */
const HALF_OPEN_AFTER_MS = 5_000;

/** Longer than the longest query of maintenance. */
const MAINTENANCE_TIMEOUT_MS = 11 * 60 * 1000;

export function createWarehouses(options: WarehousesOptions): Warehouses {
  const { urls, cells, isCluster = false, log } = options;
  const warehouses = new Map(Object.entries(urls).map(([cell, url]) => [cell, open(cell, url)]));

  const scope = (workspaceId: string) => ({ workspaceId, isCluster });

  async function warehouseOf(organizationId: string, workspaceId: string): Promise<Warehouse> {
    return warehouseIn(await cells.slugOf(organizationId, workspaceId));
  }

  function warehouseIn(cell: string): Warehouse {
    const warehouse = warehouses.get(cell);
    if (warehouse !== undefined) return warehouse;
    log.error({ cell }, 'no CLICKHOUSE_URL is configured for this cell');
    return unavailable();
  }

  const answerOf = <T>(warehouse: Warehouse, asking: () => Promise<T>) =>
    measured(warehouse, asking, options);

  return {
    async ask<Row>(question: Question): Promise<Row[]> {
      requireWorkspace(question);
      const warehouse = await warehouseOf(question.organizationId, question.workspaceId);
      const giveBack = await warehouse.slots.take(question.workspaceId);
      try {
        return await answerOf(warehouse, () =>
          warehouse.servers.run(client => askTwice<Row>(client, scopedTo(question, isCluster))),
        );
      } finally {
        giveBack();
      }
    },
    async download(question, format) {
      requireWorkspace(question);
      const warehouse = await warehouseOf(question.organizationId, question.workspaceId);
      const giveBack = await warehouse.downloadSlots.take(question.workspaceId);
      try {
        const opening = () =>
          warehouse.servers.run(client =>
            openDownload(client, scopedTo(question, isCluster), format),
          );
        const stream = await answerOf(warehouse, opening);
        return stream.once('close', giveBack);
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    async maintenance(organizationId, workspaceId, signal) {
      return maintenanceIn(
        await warehouseOf(organizationId, workspaceId),
        scope(workspaceId),
        signal,
      );
    },
    async copies(organizationId, workspaceId, signal) {
      const own = await warehouseOf(organizationId, workspaceId);
      const others = (await cells.otherSlugsOf(workspaceId)).map(warehouseIn);
      return Promise.all(
        [own, ...others].map(warehouse => maintenanceIn(warehouse, scope(workspaceId), signal)),
      );
    },
    async between(workspaceId, cells, signal) {
      const [from, to] = await Promise.all(
        [cells.from, cells.to].map(cell => warehouseIn(cell).patient.reachable()),
      );
      return openTransfer({ from: from!, to: to! }, workspaceId, signal);
    },
    cellOf: (organizationId, workspaceId) => cells.slugOf(organizationId, workspaceId),
    async close() {
      const opened = [...warehouses.values()].flatMap(({ servers, patient }) => [servers, patient]);
      await Promise.all(opened.map(servers => servers.close()));
    },
  };
}

/** Counts a failure towards the breaker of the cell, and rejects with its public error. */
async function measured<T>(
  { cell, breaker }: Warehouse,
  asking: () => Promise<T>,
  { log, onAsked }: Pick<WarehousesOptions, 'log' | 'onAsked'>,
): Promise<T> {
  const beganAt = performance.now();
  const seconds = () => (performance.now() - beganAt) / 1000;
  try {
    const answer = await breaker.execute(asking);
    onAsked?.('answered', seconds());
    return answer;
  } catch (error) {
    onAsked?.('failed', seconds());
    return refusalOf(error as Error, facts => log.warn({ cell, ...facts }, 'report query failed'));
  }
}

async function maintenanceIn(
  { patient }: Warehouse,
  { workspaceId, isCluster }: { readonly workspaceId: string; readonly isCluster: boolean },
  signal?: AbortSignal,
): Promise<Maintenance> {
  const filters = workspaceFilters(workspaceId, isCluster);
  return maintain(await patient.reachable(), workspaceId, filters, signal);
}

function open(cell: string, addresses: string): Warehouse {
  const options = {
    application: 'api',
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
    // Lists of names can exceed the maximum length of a URL.
    use_multipart_params_auto: true,
    // We log errors ourselves.
    log: { level: ClickHouseLogLevel.OFF },
  };
  const servers = connectReplicas(addresses, url =>
    createClient({
      ...options,
      url,
      request_timeout: ANSWER_TIMEOUT_MS,
      clickhouse_settings: REPORT_LIMITS,
    }),
  );
  const patient = connectReplicas(addresses, url =>
    createClient({ ...options, url, request_timeout: MAINTENANCE_TIMEOUT_MS }),
  );
  const breaker = circuitBreaker(handleWhen(isAway), {
    halfOpenAfter: HALF_OPEN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
  const downloadSlots = createSlots(DOWNLOAD_SLOTS);
  return { cell, servers, patient, slots: createSlots(), downloadSlots, breaker };
}

async function askTwice<Row>(client: ClickHouseClient, query: ScopedQuery): Promise<Row[]> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await askOnce<Row>(client, query, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    await wait(RETRY_AFTER_MS);
    return askOnce<Row>(client, query, signal);
  }
}

async function askOnce<Row>(
  client: ClickHouseClient,
  { query, query_params, filters }: ScopedQuery,
  signal: AbortSignal,
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params,
    format: 'JSONEachRow',
    clickhouse_settings: { additional_table_filters: filters as never },
    abort_signal: signal,
  });
  return result.json<Row>();
}

/** ClickHouse has the whole result before it sends the first byte (`wait_end_of_query`). */
function scopedTo({ query, parameters, workspaceId }: Question, isCluster: boolean): ScopedQuery {
  return {
    query,
    query_params: { ...given(parameters), workspaceId },
    filters: workspaceFilters(workspaceId, isCluster),
  };
}

/** Omits unset filters, whose conditions are not in the statement either. */
function given(parameters: Question['parameters'] = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value != null));
}

/** Detects defects of our own before the query runs. */
function requireWorkspace({ query, workspaceId }: Question): void {
  requireUuid(workspaceId);
  if (!query.includes('workspace_id = {workspaceId:UUID}'))
    throw new Error('the query must filter by workspace');
}
