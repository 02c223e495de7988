import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { databaseUrls } from '../../schema/environment/database-urls.ts';
import { createTenant } from '../harness/tenant.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function visibleKeys(client: pg.Client, ...ids: string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM sdk_keys WHERE id = ANY($1)',
    [ids],
  );
  return rows.map(row => row.id).sort();
}

const SET_ORGANIZATION = "SELECT set_config('app.organization_id', $1, false)";

describe.each([
  ['with an address of its own', () => inject('databaseUrls')],
  [
    'derived from the owner’s address',
    () => databaseUrls({ DATABASE_URL: inject('databaseUrls').owner }),
  ],
])('the application role, %s', (_how, urls) => {
  test('sees no row while no organization is set', async () => {
    const tenant = await createTenant();
    const client = await connect(urls().app);
    expect(await visibleKeys(client, tenant.keyId)).toEqual([]);
    expect((await client.query('SELECT id FROM organizations')).rows).toEqual([]);
  });

  test('sees only the rows of its organization', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const client = await connect(urls().app);
    await client.query(SET_ORGANIZATION, [mine.organizationId]);
    expect(await visibleKeys(client, mine.keyId, other.keyId)).toEqual([mine.keyId]);
  });

  test('changes no row of another organization and adds none to it', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const client = await connect(urls().app);
    await client.query(SET_ORGANIZATION, [mine.organizationId]);
    const update = await client.query('UPDATE sdk_keys SET name = $1 WHERE id = $2', [
      'taken over',
      other.keyId,
    ]);
    expect(update.rowCount).toBe(0);
    await expect(
      client.query('INSERT INTO properties (id, workspace_id, name) VALUES ($1, $2, $3)', [
        uuidv7(),
        other.workspaceId,
        'Planted',
      ]),
    ).rejects.toThrow('row-level security');
  });

  test('cannot disable the rules', async () => {
    const client = await connect(urls().app);
    await client.query('SET row_security = off');
    await expect(client.query('SELECT id FROM sdk_keys')).rejects.toThrow('row-level security');
    await expect(client.query('ALTER TABLE sdk_keys DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
      'must be owner',
    );
  });

  test('the system role sees every organization', async () => {
    const [one, two] = [await createTenant(), await createTenant()];
    const client = await connect(urls().system);
    const ids = [one.keyId, two.keyId].sort();
    expect(await visibleKeys(client, ...ids)).toEqual(ids);
  });
});

describe('databaseUrls', () => {
  const owner = 'postgres://u:p@h/d?options=-c%20statement_timeout%3D5000&application_name=x';

  test('keeps the parameters of the owner’s address', () => {
    const { app } = databaseUrls({ DATABASE_URL: owner });
    const parameters = new URLSearchParams(app.slice(app.indexOf('?')));
    expect(app).not.toContain('+');
    expect(parameters.get('options')).toBe('-c statement_timeout=5000 -c role=service_app');
    expect(parameters.get('application_name')).toBe('x');
  });

  test('prefers configured addresses, and treats blank values as absent', () => {
    const given = { DATABASE_APP_URL: 'postgres://app@h/d', DATABASE_SYSTEM_URL: ' ' };
    const urls = databaseUrls({ DATABASE_URL: owner, ...given });
    expect(urls.app).toBe(given.DATABASE_APP_URL);
    expect(urls.system).toContain('role%3Dservice_system');
    expect(() => databaseUrls({ DATABASE_URL: '' })).toThrow('DATABASE_URL');
  });
});
