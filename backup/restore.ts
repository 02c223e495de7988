// Restores a backup into empty databases. Nothing is changed unless the backup is intact and all
// targets are empty.

import { migrate } from '../migrations/migrate.ts';
import { requireEmptyClickHouse, restoreClickHouse } from './clickhouse-backup.ts';
import { requireNoSpool, restoreSpool } from './copy-spool.ts';
import { loadPostgres, requireEmptyPostgres } from './load-postgres.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { Part } from './parts.ts';
import type { Cell, Places } from './places.ts';
import { verifyBackup } from './verify.ts';

export type RestoreOptions = {
  readonly places: Places;
  readonly directory: string;
  readonly parts: ReadonlySet<Part>;
  readonly log: (line: string) => void;
};

export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { places, directory, log } = options;
  const { damages } = await verifyBackup(directory);
  if (damages.length > 0)
    throw new Error(
      `The backup is damaged:\n${damages.map(({ file, reason }) => `${file}: ${reason}`).join('\n')}`,
    );
  const manifest = await readManifest(directory);
  const { clickhouse = [], postgres, spool } = only(options.parts, manifest);
  const cells = clickhouse.map(part => ({ part, cell: cellOf(places, part.cell) }));
  if (postgres !== undefined) await requireEmptyPostgres(places.databaseUrl);
  for (const { cell } of cells) await requireEmptyClickHouse(cell);
  if (spool !== undefined) await requireNoSpool(places.ingest);

  if (postgres !== undefined) {
    await migratePostgresOnly(places);
    const release = `${manifest.release.version} (${manifest.release.commit})`;
    await loadPostgres(places.databaseUrl, directory, { release, postgres }, log);
  }
  for (const { part, cell } of cells)
    await restoreClickHouse(cell, places.cluster, directory, part, log);
  if (spool !== undefined) await restoreSpool(places.ingest, directory, spool, log);
  return manifest;
}

function only(parts: ReadonlySet<Part>, manifest: Manifest): Partial<Manifest> {
  const missing = [...parts].find(part => manifest[part] === undefined);
  if (missing !== undefined && parts.size < 3)
    throw new Error(`The backup does not contain ${missing}.`);
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => parts.has(name as Part)));
}

function cellOf(places: Places, slug: string): Cell {
  const cell = places.cells.find(other => other.slug === slug);
  if (cell !== undefined) return cell;
  const suffix = slug === 'default' ? '' : `_${slug.toUpperCase().replaceAll('-', '_')}`;
  throw new Error(`The backup contains the cell ${slug}. Set CLICKHOUSE_URL${suffix}.`);
}

async function migratePostgresOnly(places: Places): Promise<void> {
  await migrate({
    databaseUrl: places.databaseUrl,
    clickhouseUrls: {},
    log: () => undefined,
    isLaterRefused: true,
  });
}
