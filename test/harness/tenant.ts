// Creates tenants directly in Postgres, each with new IDs, so that tests never share one by
// accident.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { inject } from 'vitest';

export type Tenant = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly keyId: string;
  readonly writeKey: string;
};

export type KeyOptions = {
  readonly minuteCap?: number;
  readonly hourCap?: number;
  readonly origins?: readonly string[];
  readonly isRevoked?: boolean;
  readonly accepts?: 'CONTRACT' | 'COMPATIBLE';
};

export type TenantOptions = KeyOptions & {
  /** The tenant's ingress limit across all its keys. */
  readonly eventsPerMinute?: number;
  readonly cell?: { readonly slug: string; readonly isEnabled: boolean };
  /** A database other than the one shared by the run. */
  readonly databaseUrl?: string;
};

/** The cell for which every ingest process of the tests has an address. */
const DEFAULT_CELL = { slug: 'default', isEnabled: true };

const pools = new Map<string, pg.Pool>();

/** Runs a query as the owner of the tables, to whom row-level security does not apply. */
export async function sql(
  text: string,
  values: unknown[] = [],
  databaseUrl = inject('databaseUrls').owner,
): Promise<Record<string, unknown>[]> {
  let pool = pools.get(databaseUrl);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: databaseUrl, max: 4, allowExitOnIdle: true });
    // At the end of a run Postgres may stop before this process does.
    pool.on('error', () => undefined);
    pools.set(databaseUrl, pool);
  }
  return (await pool.query<Record<string, unknown>>(text, values)).rows;
}

export async function createTenant(options: TenantOptions = {}): Promise<Tenant> {
  const { cell = DEFAULT_CELL, eventsPerMinute = null, databaseUrl } = options;
  const [organizationId, workspaceId, propertyId] = [uuidv7(), uuidv7(), uuidv7()];
  await sql(
    `INSERT INTO cells (id, slug, region, is_enabled) VALUES ($1, $2, 'test', $3)
     ON CONFLICT (slug) DO NOTHING`,
    [uuidv7(), cell.slug, cell.isEnabled],
    databaseUrl,
  );
  await sql(
    'INSERT INTO organizations (id, name, ingress_events_per_minute) VALUES ($1, $2, $3)',
    [organizationId, `Organisation ${organizationId}`, eventsPerMinute],
    databaseUrl,
  );
  await insertWorkspace(organizationId, workspaceId, propertyId, cell.slug, databaseUrl);
  const key = await createKey(workspaceId, options, databaseUrl);
  return { organizationId, workspaceId, propertyId, ...key };
}

/** A second workspace of the same organization, with its own property and key. */
export async function createSibling(tenant: Tenant, options: KeyOptions = {}): Promise<Tenant> {
  const { organizationId } = tenant;
  const [workspaceId, propertyId] = [uuidv7(), uuidv7()];
  await insertWorkspace(organizationId, workspaceId, propertyId, DEFAULT_CELL.slug);
  return { organizationId, workspaceId, propertyId, ...(await createKey(workspaceId, options)) };
}

export async function createKey(
  workspaceId: string,
  options: KeyOptions = {},
  databaseUrl?: string,
): Promise<{ keyId: string; writeKey: string }> {
  const keyId = uuidv7();
  const writeKey = `wk_${randomBytes(18).toString('base64url')}`;
  await sql(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key, minute_cap, hour_cap, origins, revoked_at, accepts)
     VALUES ($1, $2, 'test', $3, $4, $5, $6, CASE WHEN $7 THEN now() END, $8)`,
    [
      keyId,
      workspaceId,
      writeKey,
      options.minuteCap ?? null,
      options.hourCap ?? null,
      options.origins ?? [],
      options.isRevoked ?? false,
      options.accepts ?? 'CONTRACT',
    ],
    databaseUrl,
  );
  return { keyId, writeKey };
}

export async function revokeKey(keyId: string): Promise<void> {
  await sql('UPDATE sdk_keys SET revoked_at = now() WHERE id = $1', [keyId]);
}

async function insertWorkspace(
  organizationId: string,
  workspaceId: string,
  propertyId: string,
  cellSlug: string,
  databaseUrl?: string,
): Promise<void> {
  await sql(
    `INSERT INTO workspaces (id, organization_id, cell_id, name)
     SELECT $1, $2, id, $3 FROM cells WHERE slug = $4`,
    [workspaceId, organizationId, `Workspace ${workspaceId}`, cellSlug],
    databaseUrl,
  );
  await sql(
    'INSERT INTO properties (id, workspace_id, name) VALUES ($1, $2, $3)',
    [propertyId, workspaceId, 'Web'],
    databaseUrl,
  );
}
