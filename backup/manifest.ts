// manifest.json: what a backup contains. It is written last, so a folder without it is incomplete.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';

const migration = z.object({ version: z.number(), name: z.string(), checksum: z.string() });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  /** The release that created the backup. */
  release: z.object({ version: z.string(), commit: z.string() }),
  postgres: z
    .object({
      migrations: z.array(migration),
      jobQueueVersion: z.number(),
      tables: z.array(
        z.object({
          schema: z.string(),
          name: z.string(),
          columns: z.array(z.string()),
          rows: z.number(),
          file: z.string(),
        }),
      ),
      /** The last value of each sequence that was used. */
      sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
    })
    .optional(),
  clickhouse: z
    .array(
      z.object({
        cell: z.string(),
        /** The database that was backed up. */
        database: z.string(),
        startedAt: z.string(),
        folder: z.string(),
        rows: z.record(z.string(), z.number()),
      }),
    )
    .optional(),
  spool: z.object({ folder: z.string(), segments: z.number() }).optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type PostgresManifest = NonNullable<Manifest['postgres']>;
export type ClickHouseManifest = NonNullable<Manifest['clickhouse']>[number];
export type SpoolManifest = NonNullable<Manifest['spool']>;

export const MANIFEST_FORMAT = FORMAT;

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  await writeFile(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
    flag: 'wx',
  });
}

/** Rejects with a message for the operator if the folder is not a complete backup of a known format. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST_FILE), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`${directory} is not a complete backup: it has no ${MANIFEST_FILE}.`);
  });
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `${join(directory, MANIFEST_FILE)} is damaged or was written by a later release: ${parsed.error.issues[0]?.message}`,
  );
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
