// Creates a backup of a running service. The order of the parts makes it consistent: rows that
// reached a database after its copy are in the spool's copy, because a spool keeps its segments for
// a while after they were delivered. If it did not keep all of them, the backup fails.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RETENTION_MS } from '../ingest/limits.ts';
import { readBuildInfo } from '../schema/environment/build-info.ts';
import { backUpClickHouse } from './clickhouse-backup.ts';
import { copySpool, SPOOL } from './copy-spool.ts';
import { readUndelivered } from './delivered-since.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { describeFiles } from './files.ts';
import { MANIFEST_FORMAT, type Manifest, writeManifest } from './manifest.ts';
import type { Part } from './parts.ts';
import type { Places } from './places.ts';

export type CreateOptions = {
  readonly places: Places;
  readonly directory: string;
  readonly parts: ReadonlySet<Part>;
  readonly log: (line: string) => void;
};

/** Retained segments are removed about a minute after the end of their time. */
const COPY_MAX_MS = RETENTION_MS - 60_000;

export async function createBackup(options: CreateOptions): Promise<Manifest> {
  const { directory } = options;
  await makeEmpty(directory);
  try {
    return await copyParts(options);
  } catch (error) {
    // Lets the same command be repeated. Best effort: the first error is the one to report.
    await empty(directory).catch(() => undefined);
    throw error;
  }
}

async function copyParts({ places, directory, parts, log }: CreateOptions): Promise<Manifest> {
  const startedAtMs = performance.now();
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    createdAt: new Date().toISOString(),
    release: readBuildInfo(process.env),
    files: [],
  };
  const undelivered = parts.has('spool')
    ? await readUndelivered(join(places.ingest, SPOOL))
    : new Map();
  if (parts.has('clickhouse')) {
    manifest.clickhouse = [];
    for (const cell of places.cells)
      manifest.clickhouse.push(await backUpClickHouse(cell, places.cluster, directory, log));
  }
  if (parts.has('postgres'))
    manifest.postgres = await dumpPostgres(places.databaseUrl, directory, log);
  if (parts.has('spool')) {
    requireInTime(performance.now() - startedAtMs);
    manifest.spool = await copySpool(places.ingest, directory, undelivered, log);
  }
  manifest.files = await describeFiles(directory);
  await writeManifest(directory, manifest);
  return manifest;
}

/** The spools of other nodes are copied after this, and nothing checks that they still have all rows. */
function requireInTime(tookMs: number): void {
  if (tookMs < COPY_MAX_MS) return;
  const minutes = Math.round(tookMs / 60_000);
  throw new Error(
    `The databases took ${minutes} minutes to copy, but the spool keeps delivered rows for only ${RETENTION_MS / 60_000} minutes. ` +
      `Back up large databases with their own incremental tools, and then back up the spool with --only spool. The spool backup must finish within ${RETENTION_MS / 60_000} minutes of the start of the first database backup.`,
  );
}

async function makeEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = await readdir(directory);
  if (names.length > 0)
    throw new Error(
      `${join(directory, names[0]!)} already exists. A backup needs an empty folder.`,
    );
}

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    await rm(join(directory, name), { recursive: true, force: true });
}
