// The one way to ask the warehouses. Every question is about one workspace, bound by us and never by
// a client's text: its statement must name {workspaceId:UUID}, and ClickHouse itself filters every
// table by it (additional_table_filters), also where a statement forgets to. Each is read-only and
// bounded in time, rows, bytes and memory; few run at once.

import { setTimeout as wait } from 'node:timers/promises';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import type { Logger } from 'pino';
import { ALL_TABLES } from '../../../schema/rows/all-tables.ts';
import { createSlots, type Slots } from './slots.ts';
import { isAway, refusalOf, unavailable } from './warehouse-refusal.ts';

export type Question = {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** Names `workspace_id = {workspaceId:UUID}`; whatever a client sent is a parameter. */
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type Warehouses = {
  /**
   * Asks the workspace's cell. Rejects with REPORT_TOO_LARGE where less should be asked, and with
   * REPORT_UNAVAILABLE where the cell does not answer now.
   */
  ask<Row>(question: Question): Promise<Row[]>;
  /** The slug of the workspace's cell. */
  cellOf(organizationId: string, workspaceId: string): Promise<string>;
  close(): Promise<void>;
};

/** Which cell a workspace's rows are in. */
export type Cells = { slugOf(organizationId: string, workspaceId: string): Promise<string> };

export type WarehousesOptions = {
  /** By the slug of the cell. */
  readonly urls: Readonly<Record<string, string>>;
  readonly cells: Cells;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Told of every question that was asked, with the seconds it took. */
  readonly onAsked?: (outcome: 'answered' | 'failed', seconds: number) => void;
};

type Warehouse = {
  readonly client: ClickHouseClient;
  readonly slots: Slots;
  readonly breaker: CircuitBreakerPolicy;
};

/** Somebody waits at a screen; what takes longer is work for an analyst. */
const EXECUTION_SECONDS_MAX = 10;
/** The same and the way there and back; then nobody waits any more. */
const ANSWER_TIMEOUT_MS = 12_000;
/** Together about what one machine reads in that time. It keeps counts within GraphQL's Int, too. */
const ROWS_TO_READ_MAX = 500_000_000;
const BYTES_TO_READ_MAX = 50_000_000_000;
/** Several reports of this size fit beside inserts and merges. */
const MEMORY_BYTES_MAX = 1_000_000_000;
const THREADS_MAX = 4;
/** A hundred whole events, or the longest of series. */
const RESULT_ROWS_MAX = 20_000;
const RESULT_BYTES_MAX = 64_000_000;
/** Servers close idle connections after 3 s or more; ours are gone before that. */
const IDLE_SOCKET_MS = 2_000;
/** A connection that was cut: once more, since reading twice does no harm. */
const RETRY_AFTER_MS = 50;
/** So many in a row that find nobody, and the next ones are refused at once: each would keep its
 * request, and what that holds of Postgres, waiting for nothing. */
const AWAY_IN_A_ROW = 3;
/** Then one asks again. */
const ASK_AGAIN_AFTER_MS = 5_000;

const LIMITS: ClickHouseSettings = {
  // 2: nothing is changed but settings, which are all ours.
  readonly: '2',
  max_execution_time: EXECUTION_SECONDS_MAX,
  timeout_overflow_mode: 'throw',
  max_rows_to_read: String(ROWS_TO_READ_MAX),
  max_bytes_to_read: String(BYTES_TO_READ_MAX),
  read_overflow_mode: 'throw',
  max_result_rows: String(RESULT_ROWS_MAX),
  max_result_bytes: String(RESULT_BYTES_MAX),
  result_overflow_mode: 'throw',
  max_memory_usage: String(MEMORY_BYTES_MAX),
  max_threads: THREADS_MAX,
  // What we no longer wait for, ClickHouse need not go on with.
  cancel_http_readonly_queries_on_client_close: 1,
  // An error is then an answer of its own, never the end of a half one.
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 0,
};

export function createWarehouses({ urls, cells, log, onAsked }: WarehousesOptions): Warehouses {
  const warehouses = new Map(Object.entries(urls).map(([cell, url]) => [cell, open(url)]));
  return {
    async ask<Row>(question: Question): Promise<Row[]> {
      requireWorkspace(question);
      const { organizationId, workspaceId } = question;
      const cell = await cells.slugOf(organizationId, workspaceId);
      const warehouse = warehouses.get(cell);
      if (warehouse === undefined) {
        log.error({ cell }, 'no CLICKHOUSE_URL is known for a cell');
        return unavailable();
      }
      const giveBack = await warehouse.slots.take(workspaceId);
      const beganAt = performance.now();
      const seconds = () => (performance.now() - beganAt) / 1000;
      try {
        const asking = () => askTwice<Row>(warehouse.client, question);
        const rows = await warehouse.breaker.execute(asking);
        onAsked?.('answered', seconds());
        return rows;
      } catch (error) {
        onAsked?.('failed', seconds());
        return refusalOf(error as Error, facts => log.warn({ cell, ...facts }, 'a report failed'));
      } finally {
        giveBack();
      }
    },
    cellOf: (organizationId, workspaceId) => cells.slugOf(organizationId, workspaceId),
    async close() {
      await Promise.all([...warehouses.values()].map(({ client }) => client.close()));
    },
  };
}

function open(url: string): Warehouse {
  const client = createClient({
    url,
    application: 'api',
    request_timeout: ANSWER_TIMEOUT_MS,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
    // Lists of names may be longer than an address may be.
    use_multipart_params_auto: true,
    clickhouse_settings: LIMITS,
    // What it would say of an error is ours to say, in one line.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const breaker = circuitBreaker(handleWhen(isAway), {
    halfOpenAfter: ASK_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(AWAY_IN_A_ROW),
  });
  return { client, slots: createSlots(), breaker };
}

async function askTwice<Row>(client: ClickHouseClient, question: Question): Promise<Row[]> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await askOnce<Row>(client, question, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    await wait(RETRY_AFTER_MS);
    return askOnce<Row>(client, question, signal);
  }
}

async function askOnce<Row>(
  client: ClickHouseClient,
  { query, parameters, workspaceId }: Question,
  signal: AbortSignal,
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params: { ...given(parameters), workspaceId },
    format: 'JSONEachRow',
    clickhouse_settings: { additional_table_filters: filtersOf(workspaceId) as never },
    abort_signal: signal,
  });
  return result.json<Row>();
}

/** A filter that nobody set has no value, and no condition that would ask for one. */
function given(parameters: Question['parameters'] = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value != null));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Defects of ours, found before anything is asked. */
function requireWorkspace({ query, workspaceId }: Question): void {
  if (!UUID.test(workspaceId)) throw new Error('not the id of a workspace');
  if (!query.includes('workspace_id = {workspaceId:UUID}'))
    throw new Error('a question that names no workspace');
}

const TABLES = ALL_TABLES.filter(({ destination }) => destination === 'warehouse').flatMap(
  ({ name }) => [name, `${name}_all`],
);

/** The second wall: settings take no parameters, and a UUID has nothing to escape. */
function filtersOf(workspaceId: string): string {
  const filters = TABLES.map(table => `'${table}': 'workspace_id = \\'${workspaceId}\\''`);
  return `{${filters.join(', ')}}`;
}
