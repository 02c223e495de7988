// The engine in its directory: one connection keeps it open, and each request gets a new one. A new
// connection costs half a millisecond and is the only reliable way to keep settings, parameters,
// USE and temporary tables of one request from the next.

import { fromEngine } from './exception.ts';
import { ENGINE_MEMORY_BYTES, STATEMENT_MEMORY_BYTES } from './limits.ts';
import { loadNative, type Native, type NativeResult } from './native.ts';
import { enginePriority } from './priority.ts';

export type Engine = {
  readonly version: string;
  readonly timezone: string;
  /** Runs on a connection of its own, prepared by `scope`. Rejects with an Exception. */
  run(scope: Scope, statement: string, format: string): Promise<NativeResult>;
  /** Resolves when no statement is running, including statements of disconnected clients. */
  idle(): Promise<void>;
  /** Cancels the statements that match a condition on system.processes. */
  cancel(condition: string): Promise<void>;
  /** Call only when the engine is idle: with a running statement it never returns. */
  close(): void;
};

/** The state that a request sets before its statement. All of it ends with the request. */
export type Scope = {
  readonly settings: ReadonlyMap<string, string>;
  /** Values of {name:Type}, in ClickHouse's escaped form. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly database: string | undefined;
};

/** Settings in which a server differs from clickhouse-local, or one machine from a cluster. */
const SERVER_LIKE: ReadonlyMap<string, string> = new Map([
  ['implicit_select', '0'],
  ['max_memory_usage', String(STATEMENT_MEMORY_BYTES)],
  // Enabled by default since 26.x; responses would be sent before the rows are in the table's
  // parts.
  ['async_insert', '0'],
]);

/** Throws if the directory is locked by another process. */
export async function openEngine(directory: string, nice: number): Promise<Engine> {
  const native = loadNative();
  const anchor = native.CreateConnection(directory, [
    `--max_server_memory_usage=${ENGINE_MEMORY_BYTES}`,
    ...enginePriority(nice),
  ]);
  const about = await native.QueryAsyncConnection(anchor, 'SELECT version(), timezone()', 'TSV');
  const [version = '', timezone = ''] = text(about).trim().split('\t');
  const running = new Set<Promise<unknown>>();
  const start: Engine['run'] = async (scope, statement, format) => {
    const outcome = run(native, directory, scope, statement, format);
    running.add(outcome);
    return outcome.finally(() => running.delete(outcome));
  };
  return {
    version,
    timezone,
    run: start,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    async cancel(condition) {
      const scope = { settings: new Map(), parameters: new Map(), database: undefined };
      await start(scope, `KILL QUERY WHERE ${condition} ASYNC`, 'Null');
    },
    close: () => native.CloseConnection(anchor),
  };
}

async function run(
  native: Native,
  directory: string,
  scope: Scope,
  statement: string,
  format: string,
): Promise<NativeResult> {
  const connection = native.CreateConnection(directory);
  try {
    // Separate from the statement, so that positions in its errors refer to the statement.
    for (const step of preparation(scope))
      await native.QueryAsyncConnection(connection, step, 'Null');
    return await native.QueryAsyncConnection(connection, statement, format);
  } catch (error) {
    throw fromEngine(error);
  } finally {
    native.CloseConnection(connection);
  }
}

/** Long parameters make long statements, which the engine rejects without this setting. */
const MAX_QUERY_SIZE_DEFAULT = 262_144;

function preparation({ settings, parameters, database }: Scope): string[] {
  const { readonly, ...rest } = Object.fromEntries([...SERVER_LIKE, ...settings]);
  const assignments = Object.entries(rest).map(([name, value]) => assignment(name, value));
  for (const [name, value] of parameters) assignments.push(assignment(`param_${name}`, value));
  const set = `SET ${assignments.join(', ')}`;
  const statements = [set];
  if (set.length > MAX_QUERY_SIZE_DEFAULT / 4) {
    statements.unshift(`SET max_query_size = ${4 * set.length + MAX_QUERY_SIZE_DEFAULT}`);
    if (!settings.has('max_query_size'))
      statements.push(`SET max_query_size = ${MAX_QUERY_SIZE_DEFAULT}`);
  }
  if (database !== undefined) statements.push(`USE ${quoted(database, '`')}`);
  // Last, because it forbids changes, including changes of itself.
  if (readonly !== undefined) statements.push(`SET ${assignment('readonly', readonly)}`);
  // A setting applies from the next text on, so these steps run one by one.
  return set.length > MAX_QUERY_SIZE_DEFAULT / 4 ? statements : [statements.join('; ')];
}

function assignment(name: string, value: string): string {
  return `${quoted(name, '`')} = ${quoted(value, "'")}`;
}

function quoted(text: string, quote: "'" | '`'): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

function text(result: NativeResult): string {
  return Buffer.from(result.bytes).toString('utf8');
}
