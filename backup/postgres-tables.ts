// The tables and sequences of Postgres that a backup contains.

import type pg from 'pg';
import { JOB_QUEUE_SCHEMA } from '../schema/environment/job-queue.ts';

export type TableToCopy = {
  readonly schema: string;
  readonly name: string;
  /** Without generated columns, which cannot be written. */
  readonly columns: readonly string[];
};

/**
 * Tables that are not copied: the migrations of a restored database record themselves, and the job
 * queue's other tables hold statistics and its own version.
 */
const NOT_COPIED: ReadonlySet<string> = new Set(['schema_migrations', 'schema_release']);
const JOB_TABLES: readonly string[] = [
  'queue',
  'schedule',
  'subscription',
  'job',
  'job_dependency',
];

/** In an order in which each table follows the tables that it references. */
export async function tablesToCopy(client: pg.ClientBase): Promise<readonly TableToCopy[]> {
  const { rows } = await client.query<TableToCopy & { id: string }>(TABLES, [
    JOB_QUEUE_SCHEMA,
    [...NOT_COPIED],
    JOB_TABLES,
  ]);
  const references = await client.query<{ from: string; to: string }>(REFERENCES);
  const waitsFor = new Map(rows.map(({ id }) => [id, new Set<string>()]));
  for (const { from, to } of references.rows) if (waitsFor.has(to)) waitsFor.get(from)?.add(to);
  const ordered: TableToCopy[] = [];
  let left = rows;
  while (left.length > 0) {
    const ready = left.filter(({ id }) => waitsFor.get(id)!.size === 0);
    if (ready.length === 0)
      throw new Error(`These tables reference each other: ${left.map(t => t.name).join(', ')}.`);
    for (const { schema, name, columns } of ready) ordered.push({ schema, name, columns });
    const done = new Set(ready.map(({ id }) => id));
    for (const others of waitsFor.values()) for (const id of done) others.delete(id);
    left = left.filter(({ id }) => !done.has(id));
  }
  return ordered;
}

const TABLES = `
  SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name,
         array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE (n.nspname = 'public' AND c.relkind = 'r' AND c.relname <> ALL ($2))
     OR (n.nspname = $1 AND c.relname = ANY ($3))
  GROUP BY c.oid, n.nspname, c.relname
  ORDER BY n.nspname, c.relname`;

const REFERENCES = `
  SELECT conrelid::text AS "from", confrelid::text AS "to"
  FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`;

/** Of sequences that were used. */
export async function readSequences(
  client: pg.ClientBase,
): Promise<{ name: string; lastValue: string }[]> {
  const { rows } = await client.query<{ name: string; lastValue: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS "lastValue"
     FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

export async function readMigrations(client: pg.ClientBase) {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'SELECT version, name, checksum FROM public.schema_migrations ORDER BY version',
  );
  return rows;
}

export async function readJobQueueVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT version FROM ${JOB_QUEUE_SCHEMA}.version`,
  );
  return rows[0]!.version;
}
