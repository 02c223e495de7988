// Every connection error of an unavailable real database, by cause. The simulated databases throw
// the same errors. `port-errors.test.ts` compares them with those of the real drivers, so that a
// real database throws no error that the simulation does not cover.

import pg from 'pg';
import { ClickHouseException } from '../../ingest/insert/clickhouse.ts';

export type ErrorsByCause = Readonly<Record<string, () => Error>>;

/** Common to both: socket errors of the operating system. */
const SOCKET: ErrorsByCause = {
  refused: () => systemError('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
  unreachable: () => systemError('connect EHOSTUNREACH 192.0.2.1:1', 'EHOSTUNREACH'),
  'no such name': () => systemError('getaddrinfo ENOTFOUND database', 'ENOTFOUND'),
  'name server away': () => systemError('getaddrinfo EAI_AGAIN database', 'EAI_AGAIN'),
  reset: () => systemError('read ECONNRESET', 'ECONNRESET'),
  'broken pipe': () => systemError('write EPIPE', 'EPIPE'),
  'timed out by the system': () => systemError('connect ETIMEDOUT 192.0.2.1:1', 'ETIMEDOUT'),
  'every address refused': () =>
    Object.assign(new AggregateError([systemError('connect ECONNREFUSED ::1:1', 'ECONNREFUSED')]), {
      code: 'ECONNREFUSED',
    }),
};

export const POSTGRES_CONNECT_ERRORS: ErrorsByCause = {
  ...SOCKET,
  'no such socket file': () => systemError('connect ENOENT /run/.s.PGSQL.5432', 'ENOENT'),
  'no answer in time': () => new Error('timeout expired'),
  'closed at once': () => new Error('Connection terminated unexpectedly'),
  'no TLS': () => new Error('The server does not support SSL connections'),
  'starting up': () => databaseError('the database system is starting up', '57P03'),
  'too many clients': () => databaseError('sorry, too many clients already', '53300'),
  'wrong password': () => databaseError('password authentication failed', '28P01'),
};

export const POSTGRES_STATEMENT_ERRORS: ErrorsByCause = {
  ...SOCKET,
  closed: () => new Error('Connection terminated unexpectedly'),
  'no answer in time': () => new Error('Query read timeout'),
  'not queryable': () =>
    new Error('Client has encountered a connection error and is not queryable'),
  'shut down': () => databaseError('terminating connection due to administrator', '57P01'),
  crashed: () => databaseError('terminating connection because of crash', '57P02'),
  'out of memory': () => databaseError('out of memory', '53200'),
  'disk full': () => databaseError('could not extend file', '53100'),
  'input or output': () => databaseError('could not read block 0 in file', '58030'),
  'internal error': () => databaseError('unexpected chunk number', 'XX000'),
  'read-only': () => databaseError('cannot execute INSERT in a read-only transaction', '25006'),
  'no such table': () => databaseError('relation "exposures" does not exist', '42P01'),
  'no permission': () => databaseError('permission denied for table exposures', '42501'),
  deadlock: () => databaseError('deadlock detected', '40P01'),
  'statement time-out': () => databaseError('canceling statement', '57014'),
  'a code nobody knows': () => databaseError('something new', 'ZZ999'),
  'no code': () => databaseError('a pooler in between says no', undefined),
};

export const CLICKHOUSE_ERRORS: ErrorsByCause = {
  ...SOCKET,
  'hung up': () => systemError('socket hang up', 'ECONNRESET'),
  'cut in the middle of the answer': () => systemError('aborted', 'ECONNRESET'),
  'not HTTP': () => systemError('Parse Error: Expected HTTP/', 'HPE_INVALID_CONSTANT'),
  'no connection in time': () => new Error('The connection to ClickHouse timed out.'),
  'no answer in time': () =>
    Object.assign(new Error('The operation was aborted'), {
      name: 'AbortError',
      code: 'ABORT_ERR',
    }),
  'a proxy that knows no server': () => new ClickHouseException(0, 'HTTP 503: no upstream'),
  'unknown table': () => new ClickHouseException(60, 'Table default.events_raw does not exist'),
  'too many parts': () => new ClickHouseException(252, 'Too many parts'),
  'read-only': () => new ClickHouseException(242, 'Table is in readonly mode'),
  'no access': () => new ClickHouseException(497, 'Not enough privileges'),
  'out of memory': () => new ClickHouseException(241, 'memory limit exceeded'),
  'disk full': () => new ClickHouseException(243, 'Cannot reserve 1.00 MiB, not enough space'),
  'a code nobody knows': () => new ClickHouseException(9_999, 'something new'),
};

/** Picks an error by a random number from 0 to 1. */
export function pickError(errors: ErrorsByCause, random: number): Error {
  const makers = Object.values(errors);
  return makers[Math.min(Math.floor(random * makers.length), makers.length - 1)]!();
}

function systemError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

function databaseError(message: string, code: string | undefined): Error {
  const error = new pg.DatabaseError(message, message.length, 'error');
  if (code !== undefined) error.code = code;
  return error;
}
