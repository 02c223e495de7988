// The simulated databases throw the same errors as the real ones: every kind of driver error of an
// unavailable database also occurs in simulated runs. None of them is blamed on a segment or a row.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { type ClickHouse, connectClickHouse } from '../../ingest/insert/clickhouse.ts';
import { isRefusalOfData as isRefusedByClickHouse } from '../../ingest/insert/refusal.ts';
import { isRefusalOfData as isRefusedByPostgres } from '../../ingest/postgres/refusal-of-data.ts';
import { isUnreadable } from '../../ingest/spool/set-aside.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import {
  CLICKHOUSE_ERRORS,
  type ErrorsByCause,
  POSTGRES_CONNECT_ERRORS,
  POSTGRES_STATEMENT_ERRORS,
} from './port-errors.ts';

const TIMEOUT_MS = 300;
/** The port of a service that no machine runs any more. */
const REFUSED_PORT = 1;

const OF_POSTGRES: Record<string, () => Promise<unknown>> = {
  refused: async () => connect(postgresAt(REFUSED_PORT)),
  'closed at once': async () => connect(postgresAt(await portThat(end))),
  silent: async () => connect(postgresAt(await portThat(stayOpen))),
  'no such socket': () => connect('postgres:///x?host=/nowhere'),
  'no such name': () => connect('postgres://u:p@name.invalid/x'),
  'wrong password': () => connect(ownerUrl(url => (url.password = 'wrong'))),
  'no such database': () => connect(ownerUrl(url => (url.pathname = '/nowhere'))),
  'connection ended by an operator': () => run('SELECT pg_terminate_backend(pg_backend_pid())'),
  'cut in the middle': cutInTheMiddle,
  'statement time-out': () => run('SET statement_timeout = 20; SELECT pg_sleep(5)'),
  'no answer in time': () => run('SELECT pg_sleep(5)'),
  'no such table': () => run('SELECT * FROM nowhere'),
  'read-only': () => run('SET TRANSACTION READ ONLY; CREATE TABLE x ()'),
  'an error nobody knows': () => run(`DO $$ BEGIN RAISE SQLSTATE 'ZZ999'; END $$`),
};

test.each(Object.entries(OF_POSTGRES))('Postgres: %s', async (_, cause) => {
  const error = await cause();
  const simulated = { ...POSTGRES_CONNECT_ERRORS, ...POSTGRES_STATEMENT_ERRORS };
  expect(kindsOf(simulated), String(error)).toContain(kindOf(error));
  expect([isRefusedByPostgres(error), isUnreadable(error)]).toEqual([false, false]);
});

const OF_CLICKHOUSE: Record<string, () => Promise<unknown>> = {
  refused: async () => ask(`http://127.0.0.1:${REFUSED_PORT}`),
  'closed at once': async () => ask(await addressThat(end)),
  silent: async () => ask(await addressThat(stayOpen)),
  'not HTTP': async () => ask(await addressThat(socket => socket.end('nonsense\n'))),
  'cut in the middle of the answer': async () =>
    ask(
      await addressThat(socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    ),
  'a proxy without a server': async () => ask(await proxyThatKnowsNone()),
  'no such name': () => ask('http://name.invalid:8123'),
  'unknown table': () => ask(inject('clickhouseUrl'), 'SELECT * FROM nowhere'),
  'out of memory': () =>
    ask(
      inject('clickhouseUrl'),
      'SELECT groupArray(number) FROM numbers(9000000) SETTINGS max_memory_usage = 1000000',
    ),
};

test.each(Object.entries(OF_CLICKHOUSE))('ClickHouse: %s', async (_, cause) => {
  const error = await cause();
  expect(kindsOf(CLICKHOUSE_ERRORS), String(error)).toContain(kindOf(error));
  expect([isRefusedByClickHouse(error), isUnreadable(error)]).toEqual([false, false]);
});

test('no error of an unavailable database quarantines a segment or parks a row', () => {
  const all = { ...POSTGRES_CONNECT_ERRORS, ...POSTGRES_STATEMENT_ERRORS, ...CLICKHOUSE_ERRORS };
  for (const [cause, make] of Object.entries(all)) {
    const error = make();
    const verdicts = [isUnreadable, isRefusedByPostgres, isRefusedByClickHouse].map(is =>
      is(error),
    );
    expect(verdicts, cause).toEqual([false, false, false]);
  }
});

/**
 * The properties by which ingest could distinguish errors: their class, and the presence and kind
 * of a code.
 */
function kindOf(error: unknown): string {
  const { name, code } = error as { name: string; code?: unknown };
  const sort = code === undefined ? 'no code' : `a ${typeof code} as code`;
  return `${name} and ${sort}`;
}

function kindsOf(errors: ErrorsByCause): string[] {
  return Object.values(errors).map(make => kindOf(make()));
}

async function connect(connectionString: string): Promise<unknown> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  const error = await failureOf(client.connect());
  void client.end().catch(() => undefined);
  return error;
}

async function run(
  text: string,
  { databaseUrl = inject('databaseUrls').owner, whileItRuns = () => {} } = {},
): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  const failure = failureOf(client.query(text));
  whileItRuns();
  const error = await failure;
  void client.end().catch(() => undefined);
  return error;
}

async function cutInTheMiddle(): Promise<unknown> {
  const address = new URL(inject('databaseUrls').owner);
  const gate = await startTcpGate(address.hostname, Number(address.port));
  onTestFinished(() => gate.close());
  address.port = String(gate.port);
  const whileItRuns = () => gate.setOpen(false);
  return run('SELECT pg_sleep(5)', { databaseUrl: address.href, whileItRuns });
}

async function ask(address: string, sql = 'SELECT 1'): Promise<unknown> {
  const clickhouse: ClickHouse = connectClickHouse(address);
  onTestFinished(() => clickhouse.close());
  return failureOf(clickhouse.execute(sql, { timeoutMs: 10 * TIMEOUT_MS }));
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it went well'),
    (error: unknown) => error,
  );
}

function postgresAt(port: number): string {
  return `postgres://u:p@127.0.0.1:${port}/x`;
}

function ownerUrl(change: (url: URL) => void): string {
  const url = new URL(inject('databaseUrls').owner);
  change(url);
  return url.href;
}

async function addressThat(treat: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await portThat(treat)}`;
}

async function portThat(treat: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    treat(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listening(server);
}

async function proxyThatKnowsNone(): Promise<string> {
  const server = createHttpServer((_, answer) => answer.writeHead(503).end('no upstream'));
  return `http://127.0.0.1:${await listening(server)}`;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function end(socket: Socket): void {
  socket.destroy();
}

function stayOpen(): void {}
