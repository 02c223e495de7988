// The command for operators, run as a program on the run's database, with one API and one ingest process.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { eraseClosedOrganizations } from '../../../graphql-api/privacy/erase-closed-organizations.job.ts';
import { eventText } from '../../harness/batch.ts';
import { postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { useDeps } from '../harness/deps.ts';
import { FURNISHED_USER_ID, furnish } from '../harness/furnish.ts';
import { insertOneOfEach } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DAY_MS = 24 * 60 * 60 * 1000;

const api = useSharedApi();
const ingest = useSharedIngest();
const deps = useDeps();
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

type Result = { readonly code: number; readonly stdout: string; readonly stderr: string };

function admin(parameters: readonly string[], env: Record<string, string> = {}): Promise<Result> {
  const options = {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_SYSTEM_URL: inject('databaseUrls').system,
      ...env,
    },
  };
  return new Promise(resolve => {
    execFile(
      process.execPath,
      ['embedded/admin.ts', ...parameters],
      options,
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function json<T>(parameters: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await admin([...parameters, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

function post(writeKey: string) {
  return postEvents(ingest(), writeKey, [eventText()]);
}

test('a new organization can send events at once and is in the list', async () => {
  type Created = { organizationId: string; workspaceId: string; writeKey: string };
  await createTenant();
  const name = `Acme ${Date.now()}`;
  const created = await json<Created>(['org', 'create', '--name', name, '--workspace', 'Shop']);
  // 502 if the workspace is in a cell of another test.
  await eventually(async () => expect([200, 502]).toContain((await post(created.writeKey)).status));
  const listed = await json<{ id: string; name: string }[]>(['org', 'list', '--search', name]);
  expect(listed).toMatchObject([{ id: created.organizationId, name, closedAt: null }]);
  const entries = await sql(
    'SELECT action, actor_id FROM audit_log WHERE organization_id = $1 ORDER BY id',
    [created.organizationId],
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'organization.create',
    'workspace.create',
    'property.create',
    'sdk_key.create',
  ]);
  for (const entry of entries) expect(entry.actor_id).toMatch(/^npm run admin \(/);
  const token = await tokenFor(created.organizationId);
  const { data } = await api().graphql('{ workspace { name } }', { token });
  expect(data).toEqual({ workspace: { name: 'Shop' } });
});

test('a new cell is registered once, and its variables are named', async () => {
  const slug = `new-${Date.now().toString(36)}`;
  const added = await admin(['cell', 'add', '--slug', slug, '--region', 'nowhere']);
  expect(added.stdout).toContain(`CLICKHOUSE_URL_${slug.toUpperCase().replaceAll('-', '_')}`);
  // A region without a ClickHouse would be offered to other tests.
  await sql('UPDATE cells SET is_enabled = false WHERE slug = $1', [slug]);
  const again = await admin(['cell', 'add', '--slug', slug, '--region', 'nowhere']);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
  expect(await json(['cell', 'list'])).toContainEqual(expect.objectContaining({ slug }));
});

test('a move is started once, shown, and taken back', async () => {
  const { organizationId, workspaceId } = await createTenant();
  const slug = `far-${Date.now().toString(36)}`;
  await admin(['cell', 'add', '--slug', slug, '--region', 'far away']);
  const start = ['cell', 'move', 'start', '--org', organizationId, '--to', slug];
  expect(await json(start)).toEqual({ workspaceIds: [workspaceId], cell: slug });
  // A region without a ClickHouse would be offered to other tests.
  await sql('UPDATE cells SET is_enabled = false WHERE slug = $1', [slug]);
  const whose = ['--workspace', workspaceId];
  const again = await admin(['cell', 'move', 'start', ...whose, '--to', slug]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('disabled') });
  const status = ['cell', 'move', 'status', ...whose];
  expect(await json(status)).toMatchObject([{ workspaceId, to: slug, state: 'COPYING' }]);
  const early = await admin(['cell', 'move', 'finish', ...whose]);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('COPYING') });
  await json(['cell', 'move', 'take-back', '--org', organizationId]);
  expect((await admin(status)).stdout).toContain(
    `next: cell move finish --workspace ${workspaceId}`,
  );
  expect(await json(status)).toMatchObject([{ state: 'TAKEN_BACK' }]);
});

test('a revoked user is listed until they are restored', async () => {
  const { organizationId } = await createTenant();
  const whom = ['--user', `auth0|${organizationId}`, '--org', organizationId];
  const entry = expect.objectContaining({ userId: whom[1], organizationId });
  await json(['subject', 'revoke', ...whom]);
  expect(await json(['subject', 'list', '--org', organizationId])).toContainEqual(entry);
  await json(['subject', 'restore', ...whom]);
  expect(await json(['subject', 'list', '--org', organizationId])).not.toContainEqual(entry);
  expect(await admin(['subject', 'restore', ...whom])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not revoked'),
  });
});

describe('a wrong command line', () => {
  test.each([
    [['org', 'destroy'], 'Unknown command "org destroy"'],
    [['org', 'create'], 'requires --name'],
    [['cell', 'move', 'start', '--to', 'a'], 'either --workspace or --org'],
    [['org', 'list', '--slug', 'a'], 'no option --slug'],
    [['org', 'list', '--nothing'], '--nothing'],
  ])('%s says what is wrong', async (parameters, said) => {
    const result = await admin(parameters);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
  });

  test('without a database names the variable', async () => {
    const env = { DATABASE_SYSTEM_URL: '', DATA_DIR: directory };
    const result = await admin(['org', 'list'], env);
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_SYSTEM_URL'),
    });
  });

  test('an unknown organization is refused as JSON as well', async () => {
    const result = await admin(['org', 'close', '--org', 'nothing', '--json']);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stderr)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  });
});

describe('an organization that is exported and closed', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant();
    await furnish(tenant);
    await insertOneOfEach(tenant, FURNISHED_USER_ID);
  });

  test('is exported with every row that is its own, and without secrets', async () => {
    const out = join(directory, 'export');
    type Manifest = { tables: Record<string, number> };
    const { tables } = await json<Manifest>([
      'org',
      'export',
      '--org',
      tenant.organizationId,
      '--out',
      out,
    ]);
    expect(tables).toMatchObject({ organizations: 1, workspaces: 1, sdk_keys: 1, contacts: 1 });
    const lines = async (table: string) =>
      (await readFile(join(out, `${table}.ndjson`), 'utf8')).split('\n').filter(Boolean);
    for (const [table, count] of Object.entries(tables))
      expect(await lines(table), table).toHaveLength(count);
    const [contact] = await lines('contacts');
    expect(JSON.parse(contact!)).toMatchObject({
      user_id: FURNISHED_USER_ID,
      traits: { plan: 'pro' },
    });
    const [login] = await lines('analyst_logins');
    expect(login).not.toContain('password_hash');
    const again = await admin(['org', 'export', '--org', tenant.organizationId, '--out', out]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
  });

  test('is closed only with its name, and is then refused everywhere', async () => {
    const close = ['org', 'close', '--org', tenant.organizationId];
    const token = await tokenFor(tenant.organizationId);
    expect(await admin(close)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Nothing was changed'),
    });
    expect((await admin([...close, '--confirm', 'Organisation'])).code).toBe(1);
    expect((await post(tenant.writeKey)).status).toBe(200);
    const name = `Organisation ${tenant.organizationId}`;
    expect((await admin([...close, '--confirm', name])).code).toBe(0);
    await eventually(async () => expect((await post(tenant.writeKey)).status).toBe(401));
    await eventually(async () => {
      const { status, text } = await api().graphql('{ workspace { name } }', { token });
      expect([status, text]).toEqual([403, expect.stringContaining('ORGANIZATION_CLOSED')]);
    });
    const states = await sql(
      `SELECT (SELECT count(*)::int FROM webhook_endpoints
               WHERE workspace_id = $1 AND state = 'ENABLED') AS endpoints,
              (SELECT count(*)::int FROM journeys
               WHERE workspace_id = $1 AND status = 'ACTIVE') AS journeys,
              (SELECT count(*)::int FROM segments
               WHERE workspace_id = $1 AND archived_at IS NULL) AS segments`,
      [tenant.workspaceId],
    );
    expect(states).toEqual([{ endpoints: 0, journeys: 0, segments: 0 }]);
  });

  test('loses the data of its people after the grace period, and keeps its audit log', async () => {
    const counts = () =>
      sql(
        `SELECT (SELECT count(*)::int FROM contacts WHERE workspace_id = $1) AS contacts,
                (SELECT count(*)::int FROM devices WHERE workspace_id = $1) AS devices,
                (SELECT count(*)::int FROM enrolments WHERE workspace_id = $1) AS enrolments,
                (SELECT count(*)::int FROM gateway_secrets WHERE workspace_id = $1) AS secrets`,
        [tenant.workspaceId],
      );
    const warehouse = await deps().warehouses.maintenance(
      tenant.organizationId,
      tenant.workspaceId,
      AbortSignal.timeout(30_000),
    );
    const events = async () =>
      warehouse.rows<{ rows: number }>(
        `SELECT count() AS rows FROM deliveries_raw WHERE workspace_id = {workspaceId:UUID}`,
      );
    const audited = () =>
      sql('SELECT action FROM audit_log WHERE organization_id = $1', [tenant.organizationId]);
    const run = () =>
      eraseClosedOrganizations.run(
        createContext(deps(), 'test', undefined),
        { dueAt: new Date().toISOString() },
        AbortSignal.timeout(60_000),
      );
    const earlier = await audited();
    await run();
    expect(await counts()).toMatchObject([{ contacts: 1 }]);
    expect(await events()).toMatchObject([{ rows: 1 }]);
    deps().clock.setMs(Date.now() + 31 * DAY_MS);
    await run();
    deps().clock.setMs(undefined);
    expect(await counts()).toEqual([{ contacts: 0, devices: 0, enrolments: 0, secrets: 0 }]);
    expect(await events()).toMatchObject([{ rows: 0 }]);
    const later = await audited();
    expect(later).toEqual(expect.arrayContaining([...earlier, { action: 'organization.erase' }]));
  });
});
