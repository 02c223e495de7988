import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config.ts';
import { internalToken } from './internal-token.ts';
import { readOpened } from './opened.ts';
import type { Passwords } from './postgres/cluster.ts';
import { urlsOf } from './postgres/roles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The given variables, and the addresses of the service that runs in DATA_DIR, if any, for the others. */
export function withAddressesOfRunning(given: Environment): Environment {
  const found = addressesOfRunning(given);
  // A Postgres that is named is meant, with its roles.
  const usesOwn = given.DATABASE_URL !== undefined || given.DATABASE_SYSTEM_URL !== undefined;
  const { DATABASE_APP_URL: _app, DATABASE_SYSTEM_URL: _system, ...others } = found;
  return { ...(usesOwn ? others : found), ...given };
}

function addressesOfRunning(env: Environment): Environment {
  const { dataDir } = readConfig(env);
  const opened = readOpened(dataDir);
  if (opened === undefined) return {};
  const { clickhouseUrl, ingestUrl, ingestInternalUrl, postgresPort } = opened;
  const found: Record<string, string> = {
    CLICKHOUSE_URL: clickhouseUrl,
    INGEST_URL: ingestInternalUrl ?? ingestUrl,
    INTERNAL_TOKEN: internalToken(dataDir),
  };
  if (postgresPort === null) return found;
  const file = join(dataDir, 'postgres', 'passwords.json');
  const { app, system } = urlsOf(postgresPort, JSON.parse(readFileSync(file, 'utf8')) as Passwords);
  return { ...found, DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system };
}
