// chdb's native addon, without its JavaScript wrapper. Session.close() of the wrapper waits until
// no query of the whole process is running, so the closed connections of all other requests pile up
// behind one slow query (measured: 0.2 MB each, never released). This code closes a connection as
// soon as no query is running on it, which is sufficient for the engine.

import { createRequire } from 'node:module';

export type Connection = { readonly __connection: unique symbol };

export type NativeResult = {
  readonly bytes: Uint8Array;
  readonly elapsed: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
};

export type Native = {
  /**
   * The first connection opens the directory, which only one process can hold, and accepts
   * arguments.
   */
  CreateConnection(directory: string, commandLine?: readonly string[]): Connection;
  /**
   * Blocks a thread of libuv's pool until the statements are done. One call at a time per
   * connection.
   */
  QueryAsyncConnection(connection: Connection, sql: string, format: string): Promise<NativeResult>;
  /** Never call while a query is running on the connection: that aborts the engine. */
  CloseConnection(connection: Connection): void;
};

export function loadNative(): Native {
  const require = createRequire(import.meta.url);
  const requireInside = createRequire(require.resolve('chdb/package.json'));
  const loader = requireInside('./dist/loader.js') as { loadNative(): Native };
  const native = load(loader);
  for (const name of ['CreateConnection', 'QueryAsyncConnection', 'CloseConnection'] as const)
    if (typeof native[name] !== 'function')
      throw new Error(`chdb's native addon has no ${name}, so its version is not the expected one`);
  return native;
}

function load(loader: { loadNative(): Native }): Native {
  try {
    return loader.loadNative();
  } catch (error) {
    throw new Error(
      `The library of the embedded ClickHouse (chdb) for ${process.platform} ${process.arch} could not be loaded: ` +
        `${(error as Error).message} Run npm install, or set CLICKHOUSE_URL to a ClickHouse of your own.`,
      { cause: error },
    );
  }
}
