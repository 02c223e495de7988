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

export type Places = {
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  readonly cells: readonly Cell[];
  readonly cluster: string | undefined;
  /** The folder of ingest in DATA_DIR. */
  readonly ingest: string;
  /** Stops what was started. */
  close(): Promise<void>;
};

/** Rejects if a variable is missing. Starts the embedded databases if they are used and not running. */
export async function readPlaces(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Places> {
  const dataDir = resolve(env.DATA_DIR?.trim() || './.data');
  const cluster = env.CLICKHOUSE_CLUSTER?.trim() || undefined;
  const ingest = join(dataDir, 'ingest');
  const databaseUrl = env.DATABASE_URL?.trim();
  const urls = clickhouseUrls(env);
  if (databaseUrl && Object.keys(urls).length > 0) {
    const cells = Object.entries(urls).map(([slug, url]) => ({
      slug,
      url,
      backups: backupsOf(env, slug),
    }));
    return { databaseUrl, cells, cluster, ingest, close: async () => undefined };
  }
  if (databaseUrl || Object.keys(urls).length > 0)
    throw new Error(
      'Set both DATABASE_URL and CLICKHOUSE_URL, or neither to use the embedded databases.',
    );
  // Not a static import: an installation for production has no embedded databases.
  const { openEngines } = await import('../embedded/open-engines.ts');
  const engines = await openEngines(dataDir);
  const cell = { slug: 'default', url: engines.clickhouseUrl, backups: engines.backups };
  return {
    databaseUrl: engines.databaseUrl,
    cells: [cell],
    cluster,
    ingest,
    close: () => engines.close(),
  };
}

function backupsOf(env: Readonly<Record<string, string | undefined>>, slug: string): string {
  const suffix = slug === 'default' ? '' : `_${slug.toUpperCase().replaceAll('-', '_')}`;
  const name = `CLICKHOUSE_BACKUPS${suffix}`;
  const folder = env[name]?.trim();
  if (folder) return resolve(folder);
  throw new Error(
    `${name} is not set. Set it to the folder in which this machine finds the server's backups.allowed_path.`,
  );
}
