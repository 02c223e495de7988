// Runs the statement of a login: in its own database, with the role and the limits of logins, after its check.

import type { Engine } from '../engine.ts';
import { exception } from '../exception.ts';
import {
  LOGIN_EXECUTION_SECONDS_MAX,
  LOGIN_MEMORY_BYTES,
  LOGIN_STATEMENTS_MAX,
  QUEUE_LENGTH_MAX,
  QUEUE_WAIT_MAX_MS,
} from '../limits.ts';
import { quoted, type RunInScope, type Scope } from '../scope.ts';
import { createSlots, type Loan, type Slots } from '../slots.ts';
import { type Functions, loadFunctions } from './functions.ts';
import { treeRefusal } from './guard.ts';
import { withAnswer } from './login-statement.ts';
import type { Login, LoginStore } from './login-store.ts';
import { placeName } from './places.ts';

export type LoginRequests = {
  /** How statements of this login run. Each call is checked separately. */
  runAs(login: Login): RunInScope;
  /** Waits until the login runs few enough statements, before one of the slots of all is taken. */
  takeTurn(login: Login, signal: AbortSignal): Promise<Loan<number>>;
  /** How statements of the service run: unchanged, except for the query for the existing logins. */
  answered(run: RunInScope): RunInScope;
};

export function createLoginRequests(engine: Pick<Engine, 'run'>, store: LoginStore): LoginRequests {
  let functions: Promise<Functions> | undefined;
  /** By the name of the login. An entry costs a few bytes, and there are few logins. */
  const turns = new Map<string, Slots<number>>();

  async function runChecked(login: Login, scope: Scope, statement: string, format: string) {
    // It contains the number of rows read, including rows of other workspaces in the same granules.
    if (/WithProgress$/i.test(format))
      throw exception(
        'ACCESS_DENIED',
        `Not enough privileges: the format ${format} is not available to a login`,
      );
    const own = loginScope(login, scope);
    functions ??= loadFunctions(engine);
    const known = functions;
    await store.prepare(login);
    await refuseMany(engine, statement);
    const tree = await engine.run(own, `EXPLAIN AST ${statement}`, 'TSVRaw');
    const lines = Buffer.from(tree.bytes).toString('utf8');
    const problem = treeRefusal(lines, placeName(login.place), await known);
    if (problem !== undefined) throw problem;
    // The login may have ended while the statement waited, and its place may belong to another login.
    store.requireCurrent(login);
    return engine.run(own, statement, format);
  }

  return {
    answered: run => (scope, statement, format) =>
      run(scope, withAnswer(statement, shownLogins(store)), format),
    runAs: login => (scope, statement, format) => runChecked(login, scope, statement, format),
    takeTurn(login, signal) {
      const known =
        turns.get(login.userName) ?? createSlots([...Array(LOGIN_STATEMENTS_MAX).keys()], WAITING);
      turns.set(login.userName, known);
      return known.take(signal);
    },
  };
}

const WAITING = { queueLengthMax: QUEUE_LENGTH_MAX, queueWaitMaxMs: QUEUE_WAIT_MAX_MS };

function shownLogins(store: LoginStore) {
  return store.all().map(({ userName, place }) => ({ userName, database: placeName(place) }));
}

/** By the engine's own lexer: a second statement would run before anything is checked. */
async function refuseMany({ run }: Pick<Engine, 'run'>, statement: string): Promise<void> {
  const scope = { settings: new Map(), parameters: new Map(), database: undefined };
  const counted = await run(
    scope,
    `SELECT arrayCount(token -> token.3 = 'Semicolon', tokenizeQuery(${quoted(statement, "'")}))`,
    'TSV',
  );
  if (Buffer.from(counted.bytes).toString('utf8').trim() !== '0')
    throw exception('SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
}

/**
 * Only the login's own database can be requested; `default` is an alias of it, because clients send
 * it by default.
 */
function loginScope(login: Login, { settings, parameters, database }: Scope): Scope {
  const own = placeName(login.place);
  if (database !== undefined && database !== own && database !== 'default')
    throw exception(
      'ACCESS_DENIED',
      `Not enough privileges: the database ${database} is not available to a login`,
    );
  const allowed = new Map([...settings].filter(([name]) => !IGNORED.has(name)));
  for (const name of allowed.keys())
    if (!isClientSetting(name))
      throw exception('READONLY', `Cannot modify '${name}' setting in readonly mode`);
  const seconds = Number(settings.get('max_execution_time') ?? 0);
  const isShorter = seconds > 0 && seconds < LOGIN_EXECUTION_SECONDS_MAX;
  allowed.set('max_execution_time', String(isShorter ? seconds : LOGIN_EXECUTION_SECONDS_MAX));
  allowed.set('max_memory_usage', String(LOGIN_MEMORY_BYTES));
  // JSON and XML would include the number of rows read.
  allowed.set('output_format_write_statistics', '0');
  // 1: not even settings can be changed.
  allowed.set('readonly', '1');
  return { settings: allowed, parameters, database: own, role: own };
}

/** Clients send these unasked. Here their values are the server's. */
const IGNORED = new Set(['readonly', 'max_memory_usage']);

/**
 * Settings of the response and of its speed. Others may read files, add expressions to the statement, or count in
 * their errors the rows of the granules that were read, in which other workspaces have rows as well.
 */
function isClientSetting(name: string): boolean {
  if (name.startsWith('output_format_')) return name !== 'output_format_schema';
  return CLIENT_SETTINGS.has(name);
}

const CLIENT_SETTINGS = new Set(
  (
    'log_comment enable_http_compression http_zlib_compression_level network_compression_method ' +
    'network_zstd_compression_level send_progress_in_http_headers http_headers_progress_interval_ms ' +
    'cancel_http_readonly_queries_on_client_close http_write_exception_in_output_format extremes ' +
    'date_time_output_format format_csv_delimiter format_tsv_null_representation ' +
    'format_csv_null_representation session_timezone max_threads max_block_size max_execution_time ' +
    'timeout_overflow_mode max_result_rows max_result_bytes result_overflow_mode join_use_nulls join_algorithm group_by_use_nulls ' +
    'max_query_size final select_sequential_consistency async_insert wait_for_async_insert'
  ).split(' '),
);
