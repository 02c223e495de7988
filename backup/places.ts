// The databases and folders that are backed up or restored.

import { join, resolve } from 'node:path';
import { clickhouseUrls } from '../schema/environment/clickhouse-urls.ts';

export type Cell = {
  readonly slug: string;
  /** Address of its ClickHouse, with user, password and database. */
  readonly url: string;
  /** The server's `backups.allowed_path`, as this machine sees it. */
  readonly backups: string;
};

/** Reading a place whose variable is missing throws, so a command needs only those of its parts. */
export type Places = {
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  readonly cells: readonly Cell[];
  readonly cluster: string | undefined;
  /** The folder of ingest in DATA_DIR. */
  readonly ingest: string;
  /** Stops the databases that were started for the command. */
  close(): Promise<void>;
};

type Environment = Readonly<Record<string, string | undefined>>;

export async function readPlaces(env: Environment): Promise<Places> {
  return {
    get databaseUrl() {
      const url = env.DATABASE_URL?.trim();
      return (
        url || fail('DATABASE_URL is not set. Set it to the postgres:// URL of the tables’ owner.')
      );
    },
    get cells() {
      const urls = Object.entries(clickhouseUrls(env));
      if (urls.length === 0)
        fail('CLICKHOUSE_URL is not set. Set it to the URL of the cell’s ClickHouse.');
      return urls.map(([slug, url]) => ({ slug, url, backups: backupsOf(env, slug) }));
    },
    cluster: env.CLICKHOUSE_CLUSTER?.trim() || undefined,
    ingest: ingestFolder(dataDirOf(env)),
    close: async () => undefined,
  };
}

export function dataDirOf(env: Environment): string {
  return resolve(env.DATA_DIR?.trim() || './.data');
}

export function ingestFolder(dataDir: string): string {
  return join(dataDir, 'ingest');
}

function backupsOf(env: Environment, slug: string): string {
  const suffix = slug === 'default' ? '' : `_${slug.toUpperCase().replaceAll('-', '_')}`;
  const name = `CLICKHOUSE_BACKUPS${suffix}`;
  const folder = env[name]?.trim();
  if (folder) return resolve(folder);
  return fail(
    `${name} is not set. Set it to the path on this machine to the folder that is set as backups.allowed_path on the ClickHouse server.`,
  );
}

function fail(message: string): never {
  throw new Error(message);
}
