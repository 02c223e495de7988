// The embedded databases of a data directory, for commands that work on them.

import { join } from 'node:path';
import { startClickHouse } from './clickhouse/process.ts';
import { readOpened } from './opened.ts';
import { readPasswords } from './postgres/cluster.ts';
import { urlsOf } from './postgres/roles.ts';
import { startPostgres } from './postgres.ts';
import { isAlive } from './processes.ts';

export type OpenEngines = {
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  /** The folder in which ClickHouse writes backups. */
  readonly backups: string;
  /** Stops the engines that were started. */
  close(): Promise<void>;
};

/** Uses the engines of a running service; otherwise starts them, in new directories if there are none. */
export async function openEngines(dataDir: string): Promise<OpenEngines> {
  const [postgresDir, clickhouseDir] = [join(dataDir, 'postgres'), join(dataDir, 'clickhouse')];
  const backups = join(clickhouseDir, 'backups');
  const opened = readOpened(dataDir);
  if (opened !== undefined && isAlive(opened.pid)) {
    const passwords = await readPasswords(postgresDir);
    if (opened.postgresPort === null || passwords === undefined)
      throw new Error(
        'The service in DATA_DIR uses your own Postgres. Set DATABASE_URL and CLICKHOUSE_URL.',
      );
    const databaseUrl = urlsOf(opened.postgresPort, passwords).owner;
    return {
      databaseUrl,
      clickhouseUrl: opened.clickhouseUrl,
      backups,
      close: async () => undefined,
    };
  }
  const postgres = await startPostgres({ dataDir: postgresDir, port: 0 });
  try {
    const clickhouse = await startClickHouse({ dataDir: clickhouseDir, port: 0, isQuiet: true });
    return {
      databaseUrl: postgres.urls.owner,
      clickhouseUrl: clickhouse.url,
      backups,
      async close() {
        await clickhouse.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
