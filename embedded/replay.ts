// npm run replay: the command of graphql-api, with the addresses of the service that runs in DATA_DIR
// as defaults.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayCommand } from '../graphql-api/app/replay-command.ts';
import { readConfig } from './config.ts';
import { internalToken } from './internal-token.ts';
import { readOpened } from './opened.ts';
import type { Passwords } from './postgres/cluster.ts';
import { urlsOf } from './postgres/roles.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function addressesOfRunning(env: Environment): Environment {
  const { dataDir } = readConfig(env);
  const opened = readOpened(dataDir);
  if (opened === undefined) return {};
  const { clickhouseUrl, ingestUrl, postgresPort } = opened;
  const found: Record<string, string> = {
    CLICKHOUSE_URL: clickhouseUrl,
    INGEST_URL: ingestUrl,
    INTERNAL_TOKEN: internalToken(dataDir),
  };
  if (postgresPort === null) return found;
  const file = join(dataDir, 'postgres', 'passwords.json');
  const { app, system } = urlsOf(postgresPort, JSON.parse(readFileSync(file, 'utf8')) as Passwords);
  return { ...found, DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system };
}

async function main(): Promise<number> {
  const given = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value?.trim()),
  );
  const isWhole = given.INGEST_URL !== undefined && given.INTERNAL_TOKEN !== undefined;
  const found = isWhole ? {} : addressesOfRunning(process.env);
  // A Postgres that is named is meant, with its roles.
  const usesOwn = given.DATABASE_URL !== undefined || given.DATABASE_SYSTEM_URL !== undefined;
  const { DATABASE_APP_URL: _app, DATABASE_SYSTEM_URL: _system, ...others } = found;
  const env = { ...(usesOwn ? others : found), ...given };
  return replayCommand(process.argv.slice(2), env, process);
}

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`replay: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
