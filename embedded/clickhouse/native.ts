// chdb's native addon. Its JavaScript wrapper is not used: Session.close() there waits until no
// query of the whole process runs, so that behind one slow query the closed connections of all
// others pile up (measured: 0.2 MB each, never given back). Here a connection is closed as soon as
// nothing runs on it, which is all that the engine needs.

import { createRequire } from 'node:module';

export type Connection = { readonly __connection: unique symbol };

export type NativeResult = {
  readonly bytes: Uint8Array;
  readonly elapsed: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
};

export type Native = {
  /** The first one opens the directory, which only one process can hold, and may take arguments. */
  CreateConnection(directory: string, commandLine?: readonly string[]): Connection;
  /** Blocks a thread of libuv's pool until the statements are done. One at a time a connection. */
  QueryAsyncConnection(connection: Connection, sql: string, format: string): Promise<NativeResult>;
  /** Never while a query runs on it: that aborts the engine. */
  CloseConnection(connection: Connection): void;
};

export function loadNative(): Native {
  const require = createRequire(import.meta.url);
  const requireInside = createRequire(require.resolve('chdb/package.json'));
  const loader = requireInside('./dist/loader.js') as { loadNative(): Native };
  const native = loader.loadNative();
  for (const name of ['CreateConnection', 'QueryAsyncConnection', 'CloseConnection'] as const)
    if (typeof native[name] !== 'function')
      throw new Error(`chdb's native addon has no ${name}; its version is not the expected one`);
  return native;
}
