import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { expect, inject, test } from 'vitest';
import { ALL_ENTITIES } from '../../../graphql-api/app/all-entities.ts';
import { sql } from '../../harness/tenant.ts';

type Column = { readonly type: string; readonly isNullable: boolean };
type Columns = Record<string, Column>;

/**
 * Tables that no program maps to an entity: used by the migrations, by ingest, or by the databases
 * themselves.
 */
const TABLES_WITHOUT_ENTITY = [
  'schema_migrations',
  'schema_release',
  'directory_revisions',
  'quota_windows',
  'job_runs',
  'job_requests',
  // Only used by statements on sets of rows: the ledger, the inbox, and tables written by ingest.
  'devices',
  'enrolment_counts',
  'exposures',
  'gateway_events',
  'idempotency_records',
  'invoices',
  'journey_entries',
  'journey_signals',
  'ledger_accounts',
  'ledger_entries',
  'outbound_events',
  'payment_facts',
  'payment_reversals',
  'pin_releases',
  'referral_codes',
  'tax_forms',
  'wallets',
  'widget_step_executions',
  // Separate tables, so that reads do not load secrets.
  'kyc_secrets',
  'gateway_secrets',
  'webhook_secrets',
  // Written by triggers, and only searched.
  'contact_search_terms',
  'gateway_described_words',
  // Internal records of the inbox, without a tenant.
  'gateway_link_orders',
  'gateway_awaited',
  // Used by ingest's outbox: the names under which a delivery was reported.
  'access_revision',
  'delivery_names',
];

const ORM_TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  'timestamptz(0)': 'timestamptz',
};

async function entityTables(): Promise<Record<string, Columns>> {
  const orm = await MikroORM.init({
    entities: [...ALL_ENTITIES],
    clientUrl: inject('databaseUrls').owner,
    metadataCache: { enabled: false },
  });
  try {
    const tables: Record<string, Columns> = {};
    for (const meta of orm.getMetadata().getAll().values()) {
      tables[meta.tableName] = Object.fromEntries(
        meta.props.map(prop => [
          prop.fieldNames[0],
          {
            type: ORM_TYPES[prop.columnTypes[0]!] ?? prop.columnTypes[0]!,
            isNullable: prop.nullable ?? false,
          },
        ]),
      );
    }
    return tables;
  } finally {
    await orm.close();
  }
}

async function databaseTables(): Promise<Record<string, Columns>> {
  const rows = await sql(
    `SELECT table_name, column_name, format_type(a.atttypid, a.atttypmod) AS type,
            is_nullable = 'YES' AS is_nullable
     FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     JOIN pg_attribute a ON a.attrelid = table_name::regclass AND a.attname = column_name
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const tables: Record<string, Columns> = {};
  for (const row of rows) {
    const table = String(row.table_name);
    const type = String(row.type).replace('timestamp with time zone', 'timestamptz');
    tables[table] ??= {};
    tables[table][String(row.column_name)] = { type, isNullable: row.is_nullable as boolean };
  }
  return tables;
}

test('every entity has exactly the columns of its table, with their types and nullability', async () => {
  const [entities, tables] = await Promise.all([entityTables(), databaseTables()]);
  for (const [table, columns] of Object.entries(entities)) {
    expect(columns, table).toEqual(tables[table]);
  }
});

test('every table has an entity or is listed as an exception', async () => {
  const [entities, tables] = await Promise.all([entityTables(), databaseTables()]);
  const without = Object.keys(tables).filter(table => !(table in entities));
  expect(without.toSorted()).toEqual(TABLES_WITHOUT_ENTITY.toSorted());
});

test('every entity file is listed', async () => {
  const cwd = join(import.meta.dirname, '..', '..', '..', 'graphql-api');
  const nouns = await Array.fromAsync(glob('**/*.entity.ts', { cwd }));
  expect(nouns).toHaveLength(ALL_ENTITIES.length);
});
