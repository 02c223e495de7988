import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../platform/context.ts';
import { type RawBuilder, rowsOf, sql } from '../platform/database/kysely.ts';
import { IMPERSONAL_TABLES, KEPT_TABLES, PERSONAL_TABLES } from '../privacy/postgres-tables.ts';
import type { Organization } from '../tenancy/organization.entity.ts';

type ExportManifest = {
  readonly organizationId: string;
  readonly name: string;
  readonly exportedAt: string;
  /** The number of rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  readonly events: string;
  readonly leftOutColumns: readonly string[];
};

/** The tables that erasure knows, so that a new table cannot be forgotten. */
const TABLES: readonly string[] = [
  ...PERSONAL_TABLES.map(({ name }) => name),
  ...Object.keys(KEPT_TABLES),
  ...IMPERSONAL_TABLES,
].toSorted();

/** Tables whose rows name neither a workspace nor an organization: how they are found, or null if they are the platform's. */
const OTHER_TABLES: Readonly<Record<string, string | null>> = {
  organizations: 'id = $organization',
  gateway_awaited: 'account_id IN ($workspaces)',
  gateway_link_orders: 'account_id IN ($workspaces)',
  payment_reversals:
    'payment_id IN (SELECT id FROM payment_facts WHERE organization_id = $organization)',
  referee_relations: '$organization IN (referee_organization_id, referrer_organization_id)',
  quota_windows: null,
  access_revision: null,
  catalog_entries: null,
  cells: null,
  delivery_names: null,
  directory_revisions: null,
  job_runs: null,
  program_terms: null,
  schema_migrations: null,
  schema_release: null,
  tax_forms: null,
};

/** Secrets, sealed or hashed. */
const LEFT_OUT_COLUMNS = ['sealed', 'password_hash'];
const ROWS_PER_FETCH = 1_000;
const EVENTS =
  'Events are not included: export them with the mutation eventExportRequest before the organization is closed.';

/** Writes the rows of the organization, as of one moment, to a new directory. */
export async function exportOrganization(
  { database, clock }: Pick<AppDeps, 'database' | 'clock'>,
  { id, name }: Pick<Organization, 'id' | 'name'>,
  directory: string,
): Promise<ExportManifest> {
  await mkdir(directory);
  const tables = await database.asSystem(async em => {
    await rowsOf(em, sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    // A slow disk must not end the export.
    await rowsOf(em, sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const condition = await conditionOf(em, table, id);
      if (condition === undefined) continue;
      counts[table] = await writeRows(em, table, condition, join(directory, `${table}.ndjson`));
    }
    return counts;
  });
  const manifest = {
    organizationId: id,
    name,
    exportedAt: new Date(clock.nowMs()).toISOString(),
    tables,
    events: EVENTS,
    leftOutColumns: LEFT_OUT_COLUMNS,
  };
  // Last, so that a directory with a manifest is complete.
  await writeFile(join(directory, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Undefined for tables of the platform. */
async function conditionOf(
  em: EntityManager,
  table: string,
  organizationId: string,
): Promise<RawBuilder<unknown> | undefined> {
  const workspaces = sql`SELECT id FROM workspaces WHERE organization_id = ${organizationId}`;
  const other = OTHER_TABLES[table];
  if (other === null) return undefined;
  if (other !== undefined) return filledIn(other, organizationId, workspaces);
  const columns = await rowsOf(
    em,
    sql<{ name: string }>`
      SELECT attname AS name FROM pg_attribute
      WHERE attrelid = ${table}::regclass AND attname IN ('workspace_id', 'organization_id')`,
  );
  const names = columns.map(column => column.name);
  if (names.includes('workspace_id') && names.includes('organization_id'))
    return sql`organization_id = ${organizationId} OR workspace_id IN (${workspaces})`;
  if (names.includes('workspace_id')) return sql`workspace_id IN (${workspaces})`;
  if (names.includes('organization_id')) return sql`organization_id = ${organizationId}`;
  throw new Error(`add ${table} to OTHER_TABLES with the condition that selects its rows`);
}

function filledIn(
  text: string,
  organizationId: string,
  workspaces: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = text.split(/(\$organization|\$workspaces)/);
  return sql.join(
    parts.map(part => {
      if (part === '$organization') return sql`${organizationId}::uuid`;
      return part === '$workspaces' ? workspaces : sql.raw(part);
    }),
    sql``,
  );
}

/** The number of rows. */
async function writeRows(
  em: EntityManager,
  table: string,
  condition: RawBuilder<unknown>,
  path: string,
): Promise<number> {
  // Closed at the end, or by a rollback. Read in pieces, because a table may be larger than memory.
  await rowsOf(
    em,
    sql`DECLARE exported CURSOR FOR
        SELECT (to_jsonb(item) - ${LEFT_OUT_COLUMNS}::text[])::text AS row
        FROM ${sql.table(table)} AS item WHERE ${condition}`,
  );
  const file = createWriteStream(path, { flags: 'wx' });
  const written = finished(file);
  let count = 0;
  for (;;) {
    const rows = await rowsOf(
      em,
      sql<{ row: string }>`FETCH ${sql.raw(String(ROWS_PER_FETCH))} FROM exported`,
    );
    for (const { row } of rows) if (!file.write(`${row}\n`)) await once(file, 'drain');
    count += rows.length;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await rowsOf(em, sql`CLOSE exported`);
  file.end();
  await written;
  return count;
}
