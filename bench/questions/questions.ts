// How long analysts wait. Twenty questions are sent to the view `events`, first with the last day
// open, then with every day settled and in turn with a copy of its rows in a plain table, and
// finally while events arrive. The copy shows the cost of the questions without deduplication.

import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { connectClickHouse } from '../../ingest/insert/clickhouse.ts';
import { settleEvents } from '../../ingest/settle/settle-events.ts';
import { EVENTS_RAW } from '../../schema/rows/events-raw.ts';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { type Engines, startEngines } from '../ingest/engines.ts';
import { interruptible } from '../ingest/interruptible.ts';
import { machineText } from '../ingest/machine.ts';
import { cpuOf, totalSeconds } from '../ingest/process-usage.ts';
import { type Asked, type Asker, askInTurns } from './ask.ts';
import { type Question, readQuestions, statementOf } from './asked.ts';
import { arrivals, DAYS, dayStart, frequentUser } from './make-events.ts';
import { type Arrived, EVENTS_PER_SECOND, whileEventsArrive } from './under-load.ts';

const SEED = 1;
const NODE = '0000000e-0000-7000-8000-000000000001';
/** Long enough for the insert of a day's rows on a laptop. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const MERGES_LOOK_MS = 1_000;
/** The inserted columns of the view; the copy computes the others. */
const COLUMNS = EVENTS_RAW.columns
  .map(({ name }) => name)
  .filter(name => name !== 'batch_id' && name !== 'batch_row')
  .join(', ');

export const questionsBench: Bench = {
  name: 'questions',
  title:
    'Analysts’ questions on the view events, compared with a copy of its rows in a plain table',
  isOnDemand: true,
  run: options => interruptible(signal => run(options, signal)),
};

type Times = {
  readonly open: Asked;
  readonly settled: Asked;
  readonly copy: Asked;
  readonly load: Asked;
};

async function run({ rows, progress }: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  const machine = machineText();
  const engines = await startEngines({ clickhouseNice: 0, withBrokers: false });
  const client = createClient({
    url: engines.clickhouse.url,
    request_timeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    const made = await makeEvents(engines, client, rows, progress);
    await makeCopy(client, progress);
    const [user] = await rowsOf<{ userId: string }>(client, frequentUser(rows));
    const parameters = { workspaceId: engines.tenant.workspaceId, userId: user!.userId };
    const asker = { client, pid: engines.clickhouse.pid, parameters };
    const { times, arrived } = await askAll(engines, asker, progress, signal);
    return {
      rows: Array.from(times, ([question, asked]) => rowOf(question, asked)),
      notes: ['', ...(await describeTables(client)), `${made} ${machine}`, textOf(arrived)],
      figures: Array.from(times, ([question, asked]) => ({ question, ...asked })),
    };
  } finally {
    await client.close();
    await engines.stop();
  }
}

/** Each day is settled once the next day has been inserted. */
async function makeEvents(
  engines: Engines,
  client: ClickHouseClient,
  rows: number,
  progress: (step: string) => void,
): Promise<string> {
  const cpu = () => totalSeconds(cpuOf(engines.clickhouse.pid));
  const [startedMs, cpuBefore] = [performance.now(), cpu()];
  let settling = 0;
  const settleUntil = async (day: number) => {
    const before = cpu();
    await settle(engines, dayStart(day));
    settling += cpu() - before;
  };
  const { workspaceId } = engines.tenant;
  let arriving = 0;
  for (const { day, statement } of arrivals({ rows, seed: SEED, workspaceId })) {
    if (day !== arriving) {
      progress(`creating ${rows.toLocaleString('en')} events: day ${day} of ${DAYS}`);
      await settleUntil(day);
    }
    arriving = day;
    await client.command({ query: statement });
  }
  await settleUntil(DAYS);
  progress('waiting for merges');
  while (Number((await rowsOf(client, 'SELECT count() AS n FROM system.merges'))[0]?.n) > 0)
    await new Promise(resolve => setTimeout(resolve, MERGES_LOOK_MS));
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const perMillion = (value: number) => ((value / rows) * 1e6).toFixed(1);
  return (
    `Created in ${seconds} s. CPU seconds of ClickHouse per million events: ${perMillion(cpu() - cpuBefore)},` +
    ` of which settling (and merges at the same time) took ${perMillion(settling)}.`
  );
}

/** Settles the days that are due at this time. */
async function settle({ clickhouse: { url } }: Engines, now: string): Promise<void> {
  const clickhouse = connectClickHouse(url);
  const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
  const deps = { clickhouse, node: NODE, sleep, now, lagMs: 0 };
  while ((await settleEvents(deps)).hasMore);
  clickhouse.close();
}

/**
 * The same columns, compression, indexes and sort order. Each day is inserted as one block, so it
 * is one part.
 */
async function makeCopy(client: ClickHouseClient, progress: (step: string) => void): Promise<void> {
  await client.command({
    query: `CREATE TABLE events_once AS events_raw ENGINE = MergeTree PARTITION BY toYYYYMMDD(timestamp)
            ORDER BY (workspace_id, toDate(timestamp), event, message_id) SETTINGS index_granularity = 1024`,
  });
  const days = await rowsOf<{ day: string }>(
    client,
    'SELECT DISTINCT toString(toDate(timestamp)) AS day FROM events ORDER BY day',
  );
  for (const { day } of days) {
    progress(`copying ${day}`);
    await client.command({
      query: `INSERT INTO events_once (${COLUMNS}) SELECT ${COLUMNS} FROM events WHERE toDate(timestamp) = {day:Date}
              SETTINGS max_threads = 1, max_insert_threads = 1, max_insert_block_size = 100000000,
                       min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 0`,
      query_params: { day },
    });
  }
}

async function askAll(
  engines: Engines,
  asker: Asker,
  progress: (step: string) => void,
  signal: AbortSignal,
): Promise<{ times: Map<Question, Times>; arrived: Arrived }> {
  const questions = readQuestions();
  const times = new Map<Question, Times>();
  const ask = async (question: Question, sources: readonly string[], now?: string) => {
    signal.throwIfAborted();
    progress(question.name);
    return askInTurns(
      asker,
      sources.map(source => statementOf(question, source, now)),
    );
  };
  const open = new Map<Question, Asked>();
  for (const question of questions) open.set(question, (await ask(question, ['events']))[0]!);
  await settle(engines, `${dayStart(DAYS)} + INTERVAL 361 MINUTE`);
  const both = new Map<Question, Asked[]>();
  for (const question of questions)
    both.set(question, await ask(question, ['events', 'events_once']));
  const arrived = await whileEventsArrive(engines, signal, async () => {
    for (const question of questions) {
      const [load] = await ask(question, ['events'], 'now()');
      const [settled, copy] = both.get(question)!;
      times.set(question, {
        open: open.get(question)!,
        settled: settled!,
        copy: copy!,
        load: load!,
      });
    }
  });
  return { times, arrived };
}

function rowOf({ name, window }: Question, { open, settled, copy, load }: Times) {
  const hundredths = (value: number) => Math.round(value * 100) / 100;
  return {
    question: name,
    window,
    'open day, ms': Math.round(open.ms),
    'settled, ms': Math.round(settled.ms),
    'copy, ms': Math.round(copy.ms),
    ratio: hundredths(settled.ms / copy.ms),
    'under load, ms': Math.round(load.ms),
    'settled, CPU s': hundredths(settled.cpuSeconds),
    'copy, CPU s': hundredths(copy.cpuSeconds),
    'read, MB': Math.round(settled.readMb),
    'memory, MB': Math.round(settled.peakMb),
  };
}

function textOf({ eventsPerSecond, failedRequests }: Arrived): string {
  return (
    `Under load: ${Math.round(eventsPerSecond).toLocaleString('en')} events/s of` +
    ` ${EVENTS_PER_SECOND.toLocaleString('en')} acknowledged, ${failedRequests} requests failed.`
  );
}

async function describeTables(client: ClickHouseClient): Promise<string[]> {
  type Parts = { table: string; parts: string; partitions: string; rows: string; gb: number };
  const tables = await rowsOf<Parts>(
    client,
    `SELECT table, count() AS parts, uniqExact(partition) AS partitions, sum(rows) AS rows, sum(bytes_on_disk) / 1e9 AS gb
     FROM system.parts WHERE active AND table IN ('events_raw', 'events_late', 'events_once') GROUP BY table ORDER BY table`,
  );
  return tables.map(
    ({ table, parts, partitions, rows, gb }) =>
      `${table}: ${Number(rows).toLocaleString('en')} rows, ${parts} parts in ${partitions} partitions, ${gb.toFixed(2)} GB.`,
  );
}

async function rowsOf<Row = { n: string }>(
  client: ClickHouseClient,
  query: string,
): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
}
