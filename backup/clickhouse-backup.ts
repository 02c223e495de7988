// The BACKUP and RESTORE statements of ClickHouse, through a folder of its server.

import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ClickHouse, connectClickHouse } from '../ingest/insert/clickhouse.ts';
import { betweenRuns } from '../ingest/settle/settle-events.ts';
import { allAddresses } from '../schema/environment/clickhouse-addresses.ts';
import type { ClickHouseManifest } from './manifest.ts';
import type { Cell } from './places.ts';

const FOLDER = 'clickhouse';
/** Copying terabytes takes hours. */
const BACKUP_TIMEOUT_MS = 24 * 3600_000;

/** Backs up a cell's database into `directory`. */
export async function backUpClickHouse(
  cell: Cell,
  cluster: string | undefined,
  directory: string,
  log: (line: string) => void,
): Promise<ClickHouseManifest> {
  const clickhouse = connectClickHouse(allAddresses(cell.url)[0]!);
  const folder = join(FOLDER, cell.slug);
  const name = `backup-${randomUUID()}`;
  try {
    const database = await currentDatabase(clickhouse);
    const startedAt = new Date().toISOString();
    const statement = `BACKUP DATABASE ${quoted(database)}${onCluster(cluster)} TO File('${name}')`;
    // A run moves events from one table to another. Between two runs, the tables are consistent with each other.
    // On a cluster, the servers copy their tables at different moments, and each shard has its own runs.
    if (cluster === undefined) {
      const deps = { clickhouse, node: randomUUID(), sleep: (ms: number) => wait(ms) };
      await betweenRuns(deps, statement, BACKUP_TIMEOUT_MS);
    } else await clickhouse.execute(statement, { timeoutMs: BACKUP_TIMEOUT_MS });
    await mkdir(join(directory, FOLDER), { recursive: true });
    await move(join(cell.backups, name), join(directory, folder), log);
    const rows = await countRows(clickhouse, cell.slug, log);
    return { cell: cell.slug, database, startedAt, folder, rows };
  } catch (error) {
    // Best effort: the first error is the one to report.
    await rm(join(cell.backups, name), { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    clickhouse.close();
  }
}

/** Restores a cell's database, which must not have any tables. */
export async function restoreClickHouse(
  cell: Cell,
  cluster: string | undefined,
  directory: string,
  { database, folder }: ClickHouseManifest,
  log: (line: string) => void,
): Promise<void> {
  const clickhouse = connectClickHouse(allAddresses(cell.url)[0]!);
  const name = `restore-${randomUUID()}`;
  const visible = join(cell.backups, name);
  try {
    const target = await currentDatabase(clickhouse);
    await cp(join(directory, folder), visible, { recursive: true });
    const renamed = target === database ? '' : ` AS ${quoted(target)}`;
    await clickhouse.execute(
      `RESTORE DATABASE ${quoted(database)}${renamed}${onCluster(cluster)} FROM File('${name}')`,
      { timeoutMs: BACKUP_TIMEOUT_MS },
    );
    log(`ClickHouse of cell ${cell.slug}: restored`);
  } finally {
    clickhouse.close();
    await rm(visible, { recursive: true, force: true });
  }
}

/** Rejects if the database has tables. */
export async function requireEmptyClickHouse(cell: Cell): Promise<void> {
  const clickhouse = connectClickHouse(allAddresses(cell.url)[0]!);
  try {
    const tables = await clickhouse.execute(
      'SELECT count() FROM system.tables WHERE database = currentDatabase() FORMAT TSV',
    );
    if (tables.trim() === '0') return;
    throw new Error(
      `ClickHouse of cell ${cell.slug} is not empty: it has ${tables.trim()} tables. Restore into a new database.`,
    );
  } finally {
    clickhouse.close();
  }
}

async function currentDatabase(clickhouse: ClickHouse): Promise<string> {
  return (await clickhouse.execute('SELECT currentDatabase() FORMAT TSV')).trim();
}

/** About as many as in the backup, for information. */
async function countRows(
  clickhouse: ClickHouse,
  cell: string,
  log: (line: string) => void,
): Promise<Record<string, number>> {
  const text = await clickhouse.execute(`
    SELECT table, sum(rows) FROM system.parts WHERE database = currentDatabase() AND active
    GROUP BY table ORDER BY table FORMAT TSV`);
  const rows = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split('\t') as [string, string]);
  const sum = rows.reduce((total, [, count]) => total + Number(count), 0);
  log(`ClickHouse of cell ${cell}: about ${sum} rows from ${rows.length} tables copied`);
  return Object.fromEntries(rows.map(([table, count]) => [table, Number(count)]));
}

/** The server's folder may be on another file system, or belong to its user. */
async function move(from: string, to: string, log: (line: string) => void): Promise<void> {
  try {
    await rename(from, to);
    return;
  } catch (error) {
    if (!COPIED_INSTEAD.has((error as NodeJS.ErrnoException).code)) throw error;
  }
  await cp(from, to, { recursive: true });
  await rm(from, { recursive: true }).catch((error: Error) =>
    log(`${from} could not be deleted; delete it yourself: ${error.message}`),
  );
}

const COPIED_INSTEAD: ReadonlySet<string | undefined> = new Set(['EXDEV', 'EACCES', 'EPERM']);

function onCluster(cluster: string | undefined): string {
  return cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
}

function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;
}
