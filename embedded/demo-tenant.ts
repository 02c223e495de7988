import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { createDemoInApp } from './demo-in-app.ts';

export type DemoTenant = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
};

const ORGANIZATION = 'Demo organization';
const WORKSPACE = 'Demo workspace';
const PROPERTY = 'Demo web site';
const KEY = 'Demo key';

/** Creates the demo's cell, tenant and SDK key (no caps, any origin), or finds the existing ones. */
export async function createDemoTenant(databaseUrl: string): Promise<DemoTenant> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    const tenant = await findOrInsert(client);
    await createDemoInApp(client, tenant);
    await client.query('COMMIT');
    return tenant;
  } finally {
    // An unfinished transaction is rolled back with its session.
    await client.end();
  }
}

async function findOrInsert(client: pg.Client): Promise<DemoTenant> {
  // Two concurrent starts would each find no rows.
  await client.query('LOCK TABLE cells IN SHARE ROW EXCLUSIVE MODE');
  await client.query(
    `INSERT INTO cells (id, slug, region) VALUES ($1, 'default', 'local')
     ON CONFLICT (slug) DO NOTHING`,
    [uuidv7()],
  );
  const organizationId = await ensure(
    client,
    // Its name was spelled differently before 0.2.0.
    `SELECT id FROM organizations WHERE name IN ($1, 'Demo organisation') ORDER BY id LIMIT 1`,
    'INSERT INTO organizations (name, id) VALUES ($1, $2)',
    [ORGANIZATION],
  );
  const workspaceId = await ensure(
    client,
    'SELECT id FROM workspaces WHERE name = $1 AND organization_id = $2 ORDER BY id LIMIT 1',
    `INSERT INTO workspaces (name, organization_id, id, cell_id)
     SELECT $1, $2::uuid, $3, id FROM cells WHERE slug = 'default'`,
    [WORKSPACE, organizationId],
  );
  const propertyId = await ensure(
    client,
    'SELECT id FROM properties WHERE name = $1 AND workspace_id = $2 ORDER BY id LIMIT 1',
    'INSERT INTO properties (name, workspace_id, id) VALUES ($1, $2, $3)',
    [PROPERTY, workspaceId],
  );
  const keyId = await ensure(
    client,
    `SELECT id FROM sdk_keys WHERE name = $1 AND workspace_id = $2 AND revoked_at IS NULL
     ORDER BY id LIMIT 1`,
    `INSERT INTO sdk_keys (name, workspace_id, id, write_key)
     VALUES ($1, $2, $3, 'wk_demo_${randomBytes(18).toString('base64url')}')`,
    [KEY, workspaceId],
  );
  const key = await client.query<{ write_key: string }>(
    'SELECT write_key FROM sdk_keys WHERE id = $1',
    [keyId],
  );
  return { organizationId, workspaceId, propertyId, writeKey: key.rows[0]!.write_key };
}

/** The ID returned by `select`, otherwise a new ID, which is the last parameter of `insert`. */
async function ensure(
  client: pg.Client,
  select: string,
  insert: string,
  parameters: readonly string[],
): Promise<string> {
  const found = await client.query<{ id: string }>(select, [...parameters]);
  if (found.rows[0] !== undefined) return found.rows[0].id;
  const id = uuidv7();
  await client.query(insert, [...parameters, id]);
  return id;
}
