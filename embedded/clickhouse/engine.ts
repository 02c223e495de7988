// The engine in its directory: one connection keeps it open, and each request gets a new one. A new
// connection costs half a millisecond and is the only reliable way to isolate settings, parameters,
// USE and temporary tables of requests from each other.

import { fromEngine } from './exception.ts';
import { ENGINE_MEMORY_BYTES } from './limits.ts';
import { placesArguments } from './logins/places.ts';
import { loadNative, type Native, type NativeResult } from './native.ts';
import { enginePriority } from './priority.ts';
import { preparation, type RunInScope, type Scope, SERVER_LIKE } from './scope.ts';
import { createSession, type Session } from './session.ts';

export type Engine = {
  readonly version: string;
  readonly timezone: string;
  /** Runs on a connection of its own, prepared by `scope`. Rejects with an Exception. */
  run: RunInScope;
  /** Opens a connection that keeps its state from one statement to the next. */
  openSession(): Session;
  /** Resolves when no statement is running, including statements of disconnected clients. */
  idle(): Promise<void>;
  /** Cancels the statements that match a condition on system.processes. */
  cancel(condition: string): Promise<void>;
  /** Call only when the engine is idle: with a running statement it never returns. */
  close(): void;
};

export type EngineOptions = {
  readonly directory: string;
  /** Gets the files from which the engine reads its users and roles. */
  readonly placesDirectory: string;
  /** Where BACKUP and RESTORE find the folder of `File('name')`. */
  readonly backupsDirectory: string;
  /** Elements of the server's configuration, in XML. */
  readonly configuration: string;
  readonly nice: number;
};

/** Throws if the directory is locked by another process. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { directory, placesDirectory, backupsDirectory, configuration, nice } = options;
  const native = loadNative();
  const anchor = native.CreateConnection(directory, [
    `--max_server_memory_usage=${ENGINE_MEMORY_BYTES}`,
    ...enginePriority(nice),
    `--backups.allowed_path=${backupsDirectory}`,
    ...placesArguments(placesDirectory, configuration),
  ]);
  const about = await native.QueryAsyncConnection(anchor, 'SELECT version(), timezone()', 'TSV');
  const [version = '', timezone = ''] = text(about).trim().split('\t');
  const running = new Set<Promise<unknown>>();
  const track = (runInScope: RunInScope): RunInScope => {
    return async (scope, statement, format) => {
      const outcome = runInScope(scope, statement, format);
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    };
  };
  const start = track((scope, statement, format) =>
    run(native, directory, scope, statement, format),
  );
  return {
    version,
    timezone,
    run: start,
    openSession() {
      const connection = native.CreateConnection(directory);
      const query = (sql: string, format: string) =>
        native.QueryAsyncConnection(connection, sql, format);
      const session = createSession(query, () => native.CloseConnection(connection));
      return { ...session, run: track(session.run) };
    },
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
    const settings = new Map([...SERVER_LIKE, ...scope.settings]);
    for (const step of preparation({ ...scope, settings }))
      await native.QueryAsyncConnection(connection, step, 'Null');
    return await native.QueryAsyncConnection(connection, statement, format);
  } catch (error) {
    throw fromEngine(error);
  } finally {
    native.CloseConnection(connection);
  }
}

function text(result: NativeResult): string {
  return Buffer.from(result.bytes).toString('utf8');
}
