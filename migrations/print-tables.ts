// npm run tables: writes docs/tables.md.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { startClickHouse } from '../embedded/clickhouse/process.ts';
import { describeTables } from './describe-tables.ts';
import { migrateClickHouse } from './migrate-clickhouse.ts';
import { readSqlFiles } from './sql-files.ts';

const directory = await mkdtemp(join(tmpdir(), 'engagement-tables-'));
const clickhouse = await startClickHouse({ dataDir: directory, port: 0, isQuiet: true });
const client = createClient({ url: clickhouse.url });
try {
  await migrateClickHouse(
    { cell: 'default', url: clickhouse.url, cluster: undefined },
    readSqlFiles(join(import.meta.dirname, 'clickhouse')),
    () => undefined,
    undefined,
  );
  await writeFile(
    join(import.meta.dirname, '..', 'docs', 'tables.md'),
    await describeTables(client),
  );
} finally {
  await client.close();
  await clickhouse.stop();
  await rm(directory, { recursive: true, force: true });
}
