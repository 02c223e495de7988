// A ClickHouse database with only some of our migrations, as an earlier release left it.

import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { v7 as uuidv7 } from 'uuid';
import { inject } from 'vitest';
import { renderForCluster, splitStatements } from '../../migrations/clickhouse-sql.ts';
import { migrate } from '../../migrations/migrate.ts';
import { newDirectory } from '../harness/run-directory.ts';

const OURS = join(import.meta.dirname, '..', '..', 'migrations', 'clickhouse');

export async function newWarehouse() {
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/warehouse_${uuidv7().replaceAll('-', '')}`;
  const directory = await newDirectory('migrations');
  await mkdir(join(directory, 'postgres'));
  await mkdir(join(directory, 'clickhouse'));
  return {
    url: url.href,
    client: createClient({ url }),
    migrateTo: async (files: readonly string[]): Promise<void> => {
      for (const file of files)
        await copyFile(join(OURS, file), join(directory, 'clickhouse', file));
      await migrate({
        databaseUrl: inject('databaseUrls').owner,
        clickhouseUrls: { default: url.href },
        log: () => undefined,
        directory,
      });
    },
  };
}

export async function statementsOf(file: string): Promise<string[]> {
  return splitStatements(renderForCluster(await readFile(join(OURS, file), 'utf8'), undefined));
}

export async function rowsOf<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<T>();
}
