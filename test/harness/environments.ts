// The environment variables of our programs in tests. Used by test files and by the global setup, which
// runs outside of vitest's workers, so this imports nothing from vitest.

import { TEST_SECRET } from '../graphql-api/harness/tokens.ts';
import { quickStartEnvironment } from './quick-start.ts';
import { RUN_DIRECTORY_VARIABLE } from './run-directory-variable.ts';

type Environment = Readonly<Record<string, string>>;

/** The databases and the directory that a whole run shares. */
export type Engines = {
  readonly databaseUrls: { readonly owner: string; readonly app: string; readonly system: string };
  readonly clickhouseUrl: string;
  readonly runDirectory: string;
};

export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export function ingestEnvironment(
  engines: Engines,
  dataDirectory: string,
  threads: number,
): Environment {
  return {
    ...commonEnvironment(engines),
    DATA_DIR: dataDirectory,
    INGEST_PORT: '0',
    INGEST_THREADS: String(threads),
  };
}

/**
 * The pool has two connections, so code that waits for a second one while it holds one times out.
 */
export function apiEnvironment(engines: Engines): Environment {
  return {
    ...commonEnvironment(engines),
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    DATABASE_APP_URL: engines.databaseUrls.app,
    DATABASE_POOL_MAX: '2',
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    // An unused address, so that no test calls the real gateway.
    GATEWAY_BASE_URL: 'http://127.0.0.1:2/pg',
    // The tests' receivers run on this machine, which production refuses.
    WEBHOOK_ALLOW_LOOPBACK: '1',
  };
}

function commonEnvironment({ databaseUrls, clickhouseUrl, runDirectory }: Engines): Environment {
  return {
    PATH: process.env.PATH ?? '',
    [RUN_DIRECTORY_VARIABLE]: runDirectory,
    ...quickStartEnvironment(runDirectory),
    DATABASE_SYSTEM_URL: databaseUrls.system,
    CLICKHOUSE_URL: clickhouseUrl,
  };
}
