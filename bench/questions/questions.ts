// How long analysts wait: twenty questions to the view `events` with the last day open, then with every
// day settled, and the same to a copy of its rows in a plain table, in turns. The copy costs what the
// questions cost without duplicates to remove.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { startClickHouse } from '../../embedded/clickhouse/process.ts';
import { connectClickHouse } from '../../ingest/insert/clickhouse.ts';
import { settleEvents } from '../../ingest/settle/settle-events.ts';
import { migrateClickHouse } from '../../migrations/migrate-clickhouse.ts';
import { readSqlFiles } from '../../migrations/sql-files.ts';
import type { Bench } from '../bench.ts';
import { machineText } from '../ingest/machine.ts';
import { bytesRead, cpuOf, forgetPeak, residentMb, totalSeconds } from '../ingest/process-usage.ts';
import { median } from '../measured.ts';
import { PARAMETERS, type Question, readQuestions, statementOf } from './asked.ts';
import { arrivals, DAYS, dayStart } from './make-events.ts';

const DATABASE = 'default';
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations', 'clickhouse');
const SEED = 1;
const NODE = '0000000e-0000-7000-8000-000000000001';
/** Each question is asked once to warm up, then so often, of the view and the copy in turns. */
const TIMES = 3;
/** A slow question of today's takes a minute at 100 million rows; a day's insert, longer on a laptop. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const MERGES_LOOK_MS = 1_000;

type Asked = {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly readMb: number;
  readonly peakMb: number;
  readonly answer: string;
};

type Engine = { readonly client: ClickHouseClient; readonly url: string; readonly pid: number };

export const questionsBench: Bench = {
  name: 'questions',
  title: 'Questions of analysts: the view events, and a copy of its rows in a plain table',
  isOnDemand: true,
  async run({ rows, progress }) {
    const machine = machineText();
    const directory = await mkdtemp(join(tmpdir(), 'engagement-bench-'));
    const clickhouse = await startClickHouse({ dataDir: directory, port: 0, isQuiet: true });
    const client = createClient({
      url: clickhouse.url,
      database: DATABASE,
      request_timeout: STATEMENT_TIMEOUT_MS,
    });
    try {
      await migrateClickHouse(
        { cell: 'default', url: clickhouse.url, cluster: undefined },
        readSqlFiles(MIGRATIONS),
        () => undefined,
        undefined,
      );
      const engine = { client, url: clickhouse.url, pid: clickhouse.pid };
      const made = await makeEvents(engine, rows, progress);
      await makeCopy(client, progress);
      const questions = readQuestions();
      const open: Asked[] = [];
      for (const question of questions) open.push(await askOpen(engine, question, progress));
      await settle(engine, `${dayStart(DAYS)} + INTERVAL 1 DAY`);
      const asked = [];
      for (const question of questions) asked.push(await askBoth(engine, question, progress));
      return {
        rows: asked.map((both, n) => rowOf({ ...both, open: open[n]! })),
        notes: ['', ...(await describeTables(client)), `${made} ${machine}`],
        figures: asked,
      };
    } finally {
      await client.close();
      await clickhouse.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Each day is settled when the next one has arrived. */
async function makeEvents(
  engine: Engine,
  rows: number,
  progress: (step: string) => void,
): Promise<string> {
  const [startedMs, cpuBefore] = [performance.now(), totalSeconds(cpuOf(engine.pid))];
  let settling = 0;
  let arriving = 0;
  for (const { day, statement } of arrivals(rows, SEED)) {
    if (day !== arriving) {
      progress(`making ${rows.toLocaleString('en')} events: day ${day} of ${DAYS}`);
      settling += await settle(engine, dayStart(day));
    }
    arriving = day;
    await engine.client.command({ query: statement });
  }
  settling += await settle(engine, dayStart(DAYS));
  progress('waiting for merges');
  while ((await countOf(engine.client, 'SELECT count() AS n FROM system.merges')) > 0)
    await new Promise(resolve => setTimeout(resolve, MERGES_LOOK_MS));
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const cpu = totalSeconds(cpuOf(engine.pid)) - cpuBefore;
  const perMillion = (value: number) => ((value / rows) * 1e6).toFixed(1);
  return (
    `Made in ${seconds} s. CPU seconds of ClickHouse per million events: ${perMillion(cpu)},` +
    ` of which settling (and merges at the same time) took ${perMillion(settling)}.`
  );
}

/** Settles what is due at that time of the events, and returns the CPU seconds of ClickHouse. */
async function settle({ url, pid }: Engine, now: string): Promise<number> {
  const cpuBefore = totalSeconds(cpuOf(pid));
  const clickhouse = connectClickHouse(url);
  const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
  const deps = { clickhouse, node: NODE, sleep, now, lagMs: 0 };
  while ((await settleEvents(deps)).hasMore);
  clickhouse.close();
  return totalSeconds(cpuOf(pid)) - cpuBefore;
}

async function makeCopy(client: ClickHouseClient, progress: (step: string) => void): Promise<void> {
  progress('copying');
  await client.command({
    query: `CREATE TABLE events_once ENGINE = MergeTree PARTITION BY toYYYYMMDD(timestamp)
            ORDER BY (workspace_id, toDate(timestamp), event, message_id) EMPTY AS SELECT * FROM events`,
  });
  const days = await client.query({
    query: 'SELECT DISTINCT toString(toDate(timestamp)) AS day FROM events ORDER BY day',
    format: 'JSONEachRow',
  });
  for (const { day } of await days.json<{ day: string }>()) {
    progress(`copying ${day}`);
    await client.command({
      query: 'INSERT INTO events_once SELECT * FROM events WHERE toDate(timestamp) = {day:Date}',
      query_params: { day },
    });
  }
  progress('merging the copy');
  await client.command({ query: 'OPTIMIZE TABLE events_once FINAL' });
}

type Both = { readonly question: Question; readonly view: Asked; readonly copy: Asked };

/** While the last day is not settled. */
async function askOpen(
  engine: Engine,
  question: Question,
  progress: (step: string) => void,
): Promise<Asked> {
  progress(`${question.name}, with an open day`);
  const asked: Asked[] = [];
  for (let time = 0; time <= TIMES; time++) asked.push(await ask(engine, question, 'events'));
  return medianOf(asked.slice(1));
}

async function askBoth(
  engine: Engine,
  question: Question,
  progress: (step: string) => void,
): Promise<Both> {
  progress(question.name);
  const taken: { view: Asked[]; copy: Asked[] } = { view: [], copy: [] };
  for (let time = 0; time <= TIMES; time++) {
    const view = await ask(engine, question, 'events');
    const copy = await ask(engine, question, 'events_once');
    if (view.answer !== copy.answer) throw new Error(`the answers differ: ${question.name}`);
    if (time === 0) continue;
    taken.view.push(view);
    taken.copy.push(copy);
  }
  return { question, view: medianOf(taken.view), copy: medianOf(taken.copy) };
}

async function ask({ client, pid }: Engine, question: Question, source: string): Promise<Asked> {
  forgetPeak(pid);
  const [memoryBefore, readBefore] = [residentMb(pid).now, bytesRead(pid)];
  const [cpuBefore, startedMs] = [cpuOf(pid), performance.now()];
  const result = await client.query({
    query: statementOf(question, source),
    query_params: PARAMETERS,
    format: 'TabSeparated',
  });
  const text = await result.text();
  const ms = performance.now() - startedMs;
  return {
    ms,
    cpuSeconds: totalSeconds(cpuOf(pid)) - totalSeconds(cpuBefore),
    readMb: (bytesRead(pid) - readBefore) / 1e6,
    peakMb: Math.max(0, residentMb(pid).peak - memoryBefore),
    answer: text,
  };
}

function medianOf(asked: readonly Asked[]): Asked {
  const of = (figure: (one: Asked) => number) => median(asked.map(figure));
  return {
    ms: of(one => one.ms),
    cpuSeconds: of(one => one.cpuSeconds),
    readMb: of(one => one.readMb),
    peakMb: of(one => one.peakMb),
    answer: '',
  };
}

function rowOf({ question, view, copy, open }: Both & { readonly open: Asked }) {
  return {
    question: question.name,
    window: question.window,
    'open day, ms': Math.round(open.ms),
    'settled, ms': Math.round(view.ms),
    'copy, ms': Math.round(copy.ms),
    ratio: Math.round((view.ms / copy.ms) * 100) / 100,
    'open day, CPU s': Math.round(open.cpuSeconds * 100) / 100,
    'settled, CPU s': Math.round(view.cpuSeconds * 100) / 100,
    'copy, CPU s': Math.round(copy.cpuSeconds * 100) / 100,
    'read, MB': Math.round(view.readMb),
    'memory, MB': Math.round(view.peakMb),
  };
}

async function describeTables(client: ClickHouseClient): Promise<string[]> {
  const result = await client.query({
    query: `SELECT table, count() AS parts, uniqExact(partition) AS partitions, sum(rows) AS rows, sum(bytes_on_disk) / 1e9 AS gb
            FROM system.parts WHERE active AND table IN ('events_raw', 'events_late', 'events_once') GROUP BY table ORDER BY table`,
    format: 'JSONEachRow',
  });
  type Parts = { table: string; parts: string; partitions: string; rows: string; gb: number };
  return (await result.json<Parts>()).map(
    ({ table, parts, partitions, rows, gb }) =>
      `${table}: ${Number(rows).toLocaleString('en')} rows, ${parts} parts in ${partitions} partitions, ${gb.toFixed(2)} GB.`,
  );
}

async function countOf(client: ClickHouseClient, query: string): Promise<number> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  const [row] = await result.json<{ n: string }>();
  return Number(row?.n ?? 0);
}
