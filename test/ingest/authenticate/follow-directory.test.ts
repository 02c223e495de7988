import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { Directory } from '../../../ingest/authenticate/directory.ts';
import type {
  DirectoryChange,
  DirectoryData,
} from '../../../ingest/authenticate/directory-data.ts';
import { readRevision } from '../../../ingest/authenticate/directory-revision.ts';
import { writeSnapshot } from '../../../ingest/authenticate/directory-snapshot.ts';
import { DirectoryTables } from '../../../ingest/authenticate/directory-tables.ts';
import type { DirectoryState } from '../../../ingest/authenticate/follow-directory.ts';
import { loadDirectory } from '../../../ingest/authenticate/load-directory.ts';
import { PostgresFollower } from '../../../ingest/follow-postgres.ts';
import { migrate } from '../../../migrations/migrate.ts';
import { readVersion } from '../../../schema/environment/build-info.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { createKey, createTenant, revokeKey, sql } from '../../harness/tenant.ts';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';
import { keptLog } from './silent-log.ts';

const HOUR_MS = 60 * 60 * 1000;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Following = {
  readonly follower: {
    readonly ready: Promise<void>;
    state(): DirectoryState;
    stop(): Promise<void>;
  };
  readonly clock: { ms: number; nowMs(): number };
  readonly loads: DirectoryData[];
  /** The messages to the worker threads. */
  readonly changes: DirectoryChange[];
  readonly states: DirectoryState[];
  readonly lines: string[];
  readonly directory: () => Directory;
};

async function proxyOf(databaseUrl = inject('databaseUrls').system): Promise<CuttableProxy> {
  const proxy = await startCuttableProxy(databaseUrl);
  cleanUps.push(() => proxy.close());
  return proxy;
}

function follow(databaseUrl: string, snapshotPath: string, nowMs = Date.now()): Following {
  const clock = { ms: nowMs, nowMs: () => clock.ms };
  const { log, lines } = keptLog();
  const loads: DirectoryData[] = [];
  const states: DirectoryState[] = [];
  const changes: DirectoryChange[] = [];
  let directory: Directory | undefined;
  const following = new PostgresFollower({
    release: readVersion(),
    onSchemaProblem: problem => {
      throw new Error(problem);
    },
    databaseUrl,
    snapshotPath,
    clock,
    log,
    onDirectory: (change, data) => {
      loads.push(structuredClone(data));
      // Cloned, as messages between threads are.
      changes.push(structuredClone(change));
      directory ??= new Directory();
      directory.apply(structuredClone(change), new Map());
    },
    onState: state => states.push(state),
    onCampaigns: () => undefined,
    onFirstLook: () => undefined,
  });
  const follower = {
    ready: following.directory.ready,
    state: () => following.directory.state(),
    stop: () => following.stop(),
  };
  cleanUps.push(() => follower.stop());
  return { follower, clock, loads, changes, states, lines, directory: () => directory! };
}

async function snapshotPath(): Promise<string> {
  return join(await newDirectory('directory'), 'directory.snapshot');
}

async function savedSnapshot(path: string, text: string): Promise<string> {
  return eventually(async () => {
    const saved = await readFile(path, 'utf8');
    expect(saved).toContain(text);
    return saved;
  });
}

describe('while Postgres is reachable', () => {
  test('created, capped and revoked keys take effect without a restart', async () => {
    const tenant = await createTenant();
    const { follower, directory, loads, states } = follow(
      inject('databaseUrls').system,
      await snapshotPath(),
    );
    await follower.ready;
    expect(directory().accountOf(tenant.writeKey)?.workspaceId).toBe(tenant.workspaceId);

    const key = await createKey(tenant.workspaceId, { origins: ['https://shop.example'] });
    await eventually(() => {
      const account = directory().accountOf(key.writeKey);
      expect([...(account?.origins.exact ?? [])]).toEqual(['https://shop.example']);
    });
    await sql('UPDATE sdk_keys SET minute_cap = 7 WHERE id = $1', [key.keyId]);
    await eventually(() => {
      const loaded = loads.at(-1)?.sdkKeys.find(row => row.id === key.keyId);
      expect(loaded?.minuteCap).toBe(7);
    });
    await revokeKey(key.keyId);
    await eventually(() => expect(directory().accountOf(key.writeKey)).toBeUndefined());
    expect(directory().accountOf(tenant.writeKey)).toBeDefined();
    expect(states.at(-1)).toMatchObject({ isReachable: true, isStale: false });
  });

  test('a key works until it expires', async () => {
    const tenant = await createTenant();
    const { follower, clock, directory } = follow(
      inject('databaseUrls').system,
      await snapshotPath(),
    );
    await follower.ready;
    const expiresAtMs = clock.ms + 60_000;
    const expire = (keyId: string, ms: number) =>
      sql('UPDATE sdk_keys SET expires_at = $2 WHERE id = $1', [keyId, new Date(ms)]);
    const over = await createKey(tenant.workspaceId);
    await expire(over.keyId, Date.now() - 1_000);
    await eventually(() => expect(directory().accountOf(over.writeKey)).toBeUndefined());

    const key = await createKey(tenant.workspaceId);
    await expire(key.keyId, expiresAtMs);
    await eventually(() => expect(directory().accountOf(key.writeKey)).toBeDefined());
    clock.ms = expiresAtMs;
    await eventually(() => expect(directory().accountOf(key.writeKey)).toBeUndefined());
    expect(directory().accountOf(tenant.writeKey)).toBeDefined();
  });

  test('an edit sends only the changed row, a deletion only the ID', async () => {
    const { owner, system } = await ownDatabase();
    const [tenant, other] = [
      await createTenant({ databaseUrl: owner }),
      await createTenant({ databaseUrl: owner }),
    ];
    const { follower, changes, directory } = follow(system, await snapshotPath());
    await follower.ready;
    expect(changes[0]!.rows.sdkKeys.length).toBe(2);
    const next = async (statement: string): Promise<DirectoryChange> => {
      const before = changes.length;
      await sql(statement, [], owner);
      await eventually(() => expect(changes.length).toBe(before + 1));
      return changes.at(-1)!;
    };
    const none = {
      cells: [],
      organizations: [],
      workspaces: [],
      properties: [],
      sdkKeys: [],
      gatewaySecrets: [],
    };
    const capped = await next(`UPDATE sdk_keys SET minute_cap = 7 WHERE id = '${tenant.keyId}'`);
    expect(capped).toEqual({
      rows: { ...none, sdkKeys: [expect.objectContaining({ id: tenant.keyId, minuteCap: 7 })] },
      gone: none,
    });
    const revoked = await next(
      `UPDATE sdk_keys SET revoked_at = now() WHERE id = '${other.keyId}'`,
    );
    expect(revoked).toEqual({ rows: none, gone: { ...none, sdkKeys: [other.keyId] } });
    const deleted = await next(`DELETE FROM properties WHERE id = '${other.propertyId}'`);
    expect(deleted).toEqual({ rows: none, gone: { ...none, properties: [other.propertyId] } });
    expect(directory().workspaceOf(other.workspaceId)!.propertyIds.size).toBe(0);
    // A cell's default limit applies to each of its organizations that has no limit of its own.
    const limited = await next('UPDATE cells SET ingress_events_per_minute = 9');
    expect(limited.rows.organizations.map(row => row.eventsPerMinute)).toEqual([9, 9]);
    expect({ ...limited.rows, organizations: [] }).toEqual(none);
    const truncated = await next('TRUNCATE sdk_keys CASCADE');
    expect(truncated).toEqual({ rows: none, gone: { ...none, sdkKeys: [tenant.keyId] } });
  });

  test('a change committed after a later one is applied, and so is one pruned before it was read', async () => {
    const { owner, system } = await ownDatabase();
    const tenant = await createTenant({ databaseUrl: owner });
    const { follower, loads } = follow(system, await snapshotPath());
    await follower.ready;
    const [early, late] = [
      new pg.Client({ connectionString: owner }),
      new pg.Client({ connectionString: owner }),
    ];
    await Promise.all([early.connect(), late.connect()]);
    cleanUps.push(() => Promise.all([early.end(), late.end()]));
    const caps = () => {
      const key = loads.at(-1)!.sdkKeys.find(({ id }) => id === tenant.keyId)!;
      return [key.minuteCap, key.hourCap, loads.at(-1)!.organizations[0]!.eventsPerMinute];
    };
    await early.query('BEGIN; UPDATE sdk_keys SET minute_cap = 5');
    await late.query('UPDATE organizations SET ingress_events_per_minute = 6');
    await eventually(() => expect(caps()).toEqual([null, null, 6]));
    await early.query('COMMIT');
    await eventually(() => expect(caps()).toEqual([5, null, 6]));
    await late.query(`BEGIN; UPDATE sdk_keys SET hour_cap = 7;
      DELETE FROM directory_revisions; INSERT INTO directory_revisions DEFAULT VALUES; COMMIT`);
    await eventually(() => expect(caps()).toEqual([5, 7, 6]));
  });

  test('the use of a key does not cause a reload of the directory', async () => {
    const { owner } = await ownDatabase();
    await createTenant({ databaseUrl: owner });
    const revisions = () => sql('SELECT max(revision) FROM directory_revisions', [], owner);
    const before = await revisions();
    await sql('UPDATE sdk_keys SET last_used_at = now()', [], owner);
    expect(await revisions()).toEqual(before);
    await sql('UPDATE sdk_keys SET expires_at = now()', [], owner);
    expect(await revisions()).not.toEqual(before);
  });

  test('a slow load does not delay later changes', async () => {
    const tenant = await createTenant();
    const { follower, directory, loads } = follow(
      inject('databaseUrls').system,
      await snapshotPath(),
    );
    await follower.ready;
    const before = loads.length;
    // The revision increases at the end of each statement; the load that follows waits for the
    // lock.
    await sql(`UPDATE sdk_keys SET minute_cap = 7 WHERE id = '${tenant.keyId}'`);
    await sql('BEGIN; LOCK TABLE sdk_keys IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1.5); COMMIT');
    await eventually(() => expect(loads.length).toBeGreaterThan(before));
    await revokeKey(tenant.keyId);
    // Guaranteed within a second; the rest is a margin for a busy machine.
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeUndefined(), {
      deadlineMs: 4_000,
    });
  });

  test('caps are loaded with their values', async () => {
    const tenant = await createTenant({ minuteCap: 5, hourCap: 50, eventsPerMinute: 500 });
    const { follower, loads } = follow(inject('databaseUrls').system, await snapshotPath());
    await follower.ready;
    const data = loads.at(-1)!;
    expect(data.sdkKeys.find(key => key.id === tenant.keyId)).toMatchObject({
      minuteCap: 5,
      hourCap: 50,
    });
    expect(data.organizations.find(row => row.id === tenant.organizationId)).toEqual({
      id: tenant.organizationId,
      eventsPerMinute: 500,
    });
  });

  test('the snapshot is updated, readable only by its owner, and its confirmation time is renewed', async () => {
    const tenant = await createTenant();
    const path = await snapshotPath();
    // A half-written file, as a crash may leave it.
    await writeFile(`${path}.tmp`, 'half', { mode: 0o644 });
    const { follower, clock } = follow(inject('databaseUrls').system, path);
    await follower.ready;
    const first = await savedSnapshot(path, tenant.writeKey);
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    clock.ms += HOUR_MS;
    await savedSnapshot(path, `"confirmedAtMs":${clock.ms}`);
    expect(first).not.toContain(`"confirmedAtMs":${clock.ms}`);
  });

  test('a failed write of the snapshot does not stop the updates', async () => {
    const path = join(await newDirectory('directory'), 'is-missing', 'directory.snapshot');
    const { follower, directory, clock, lines } = follow(inject('databaseUrls').system, path);
    await follower.ready;
    const tenant = await createTenant();
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeDefined());
    await eventually(() => expect(lines.join('')).toContain('directory snapshot write failed'));
    await mkdir(join(path, '..'));
    await eventually(async () => {
      clock.ms += HOUR_MS;
      await savedSnapshotNow(path, tenant.writeKey);
    });
  });

  test('a role that cannot see the rows is refused', async () => {
    const client = new pg.Client({ connectionString: inject('databaseUrls').app });
    await client.connect();
    cleanUps.push(() => client.end());
    await expect(loadDirectory(client, { nowMs: 0 })).rejects.toThrow('member of service_system');

    const { follower, lines, loads } = follow(inject('databaseUrls').app, await snapshotPath());
    await eventually(() => expect(lines.join('')).toContain('permission denied'));
    expect(loads).toEqual([]);
    expect(follower.state()).toMatchObject({ isReachable: false, source: 'none' });
  });
});

describe('without Postgres', () => {
  test('the directory stays in use, even for more than a day, and is updated afterwards', async () => {
    const tenant = await createTenant();
    const proxy = await proxyOf();
    const { follower, directory, clock, states, lines } = follow(proxy.url, await snapshotPath());
    await follower.ready;
    expect(follower.state()).toMatchObject({ isReachable: true, source: 'postgres' });
    proxy.cut();
    await eventually(() => expect(follower.state().isReachable).toBe(false));
    clock.ms += 25 * HOUR_MS;
    await eventually(() => expect(follower.state().isStale).toBe(true));
    expect(follower.state().ageMs).toBeGreaterThanOrEqual(25 * HOUR_MS);
    expect(directory().accountOf(tenant.writeKey)).toBeDefined();
    expect(lines.join('')).toContain('last confirmed the key directory more than a day ago');

    await revokeKey(tenant.keyId);
    proxy.heal();
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeUndefined());
    await eventually(() =>
      expect(states.at(-1)).toMatchObject({ isReachable: true, isStale: false }),
    );
  });

  test('another database behind the same address is detected', async () => {
    const urls = inject('databaseUrls');
    const name = `directory_${randomBytes(6).toString('hex')}`;
    for (const suffix of ['', '_restored']) {
      await sql(`CREATE DATABASE ${name}${suffix}`);
      const databaseUrl = withDatabase(urls.owner, `${name}${suffix}`);
      await migrate({ databaseUrl, clickhouseUrls: {}, log: () => undefined });
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const values = [randomUUID(), suffix === '' ? 'before' : 'after'];
      await client.query(`INSERT INTO cells (id, slug, region) VALUES ($1, $2, 'test')`, values);
      await client.end();
    }
    const proxy = await proxyOf(withDatabase(urls.system, name));
    const { follower, loads } = follow(proxy.url, await snapshotPath());
    await follower.ready;
    const before = loads.at(-1)!;
    expect(before.cells.map(cell => cell.slug)).toEqual(['before']);

    proxy.cut();
    await eventually(() => sql(`ALTER DATABASE ${name} RENAME TO ${name}_lost`));
    await eventually(() => sql(`ALTER DATABASE ${name}_restored RENAME TO ${name}`));
    proxy.heal();
    await eventually(() => {
      expect(loads.at(-1)?.cells.map(cell => cell.slug)).toEqual(['after']);
    });
    expect(loads.at(-1)?.revision).toBe(before.revision);
  });

  test('a network that drops every packet is detected', async () => {
    const proxy = await proxyOf();
    const { follower, directory } = follow(proxy.url, await snapshotPath());
    await follower.ready;
    expect(follower.state().isReachable).toBe(true);
    proxy.freeze();
    await eventually(() => expect(follower.state().isReachable).toBe(false));
    const tenant = await createTenant();
    proxy.heal();
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeDefined());
  });

  test('a start uses the snapshot, then Postgres once it is available', async () => {
    const tenant = await createTenant();
    const path = await snapshotPath();
    const before = follow(inject('databaseUrls').system, path);
    await before.follower.ready;
    await savedSnapshot(path, tenant.writeKey);
    await before.follower.stop();

    await revokeKey(tenant.keyId);
    const proxy = await proxyOf();
    proxy.cut();
    const { follower, directory, clock } = follow(proxy.url, path, before.clock.ms + 23 * HOUR_MS);
    await follower.ready;
    expect(directory().accountOf(tenant.writeKey)?.workspaceId).toBe(tenant.workspaceId);
    expect(follower.state()).toMatchObject({ isReachable: false, source: 'snapshot' });
    expect(follower.state().ageMs).toBeGreaterThanOrEqual(23 * HOUR_MS);

    clock.ms += 2 * HOUR_MS;
    await eventually(() => expect(follower.state().isStale).toBe(true));
    expect(directory().accountOf(tenant.writeKey)).toBeDefined();

    proxy.heal();
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeUndefined());
    expect(follower.state()).toMatchObject({ source: 'postgres', isStale: false });
  });

  test.each<[string, (text: string) => string, number, RegExp]>([
    ['too old', text => text, 25, /too old/],
    ['from far ahead', text => text, -25, /too old/],
    ['with a changed byte', text => text.replace('"wk_', '"wk-'), 0, /checksum/],
    [
      'made younger',
      text => text.replace(/(confirmedAtMs":)\d+/, '$19999999999999'),
      0,
      /checksum/,
    ],
    ['cut short', text => text.slice(0, -10), 0, /checksum/],
    ['without a header', text => text.slice(text.indexOf('\n') + 1), 0, /header/],
    ['of another version', text => text.replace('"format":1', '"format":2'), 0, /header/],
    ['empty', () => '', 0, /header/],
    ['of random bytes', () => randomBytes(1000).toString('latin1'), 0, /header/],
  ])('a snapshot %s is refused', async (_name, damage, hours, reason) => {
    const path = await snapshotPath();
    const savedAtMs = Date.now();
    const client = new pg.Client({ connectionString: inject('databaseUrls').system });
    await client.connect();
    cleanUps.push(() => client.end());
    await createTenant();
    const { rows, wanted } = await loadDirectory(client, { nowMs: savedAtMs });
    const tables = new DirectoryTables();
    tables.apply(rows, wanted, savedAtMs);
    const data = tables.toData('', savedAtMs);
    await writeSnapshot(path, { confirmedAtMs: savedAtMs, data });
    const whole = await readFile(path, 'utf8');
    await writeFile(path, damage(whole));

    const proxy = await proxyOf();
    proxy.cut();
    const started = follow(proxy.url, path, savedAtMs + hours * HOUR_MS);
    await eventually(() =>
      expect(started.lines.join('')).toContain('directory snapshot not usable'),
    );
    expect(started.lines.join('')).toMatch(reason);
    expect(started.loads).toEqual([]);
    expect(started.follower.state()).toMatchObject({ source: 'none', isReachable: false });

    // The follower recovers: Postgres provides the directory again, and a valid snapshot is
    // written.
    started.clock.ms = savedAtMs;
    proxy.heal();
    await started.follower.ready;
    await savedSnapshot(path, `"confirmedAtMs":${savedAtMs}`);
  });
});

describe('the rows that record changes', () => {
  async function owner(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: inject('databaseUrls').owner });
    await client.connect();
    cleanUps.push(() => client.end());
    return client;
  }

  test('include a commit that overtook another, and one hidden by pruning', async () => {
    const [early, late] = [await owner(), await owner()];
    const { keyId, propertyId } = await createTenant();
    await early.query('BEGIN');
    await early.query('UPDATE sdk_keys SET name = name WHERE id = $1', [keyId]);
    await late.query('UPDATE properties SET name = name WHERE id = $1', [propertyId]);
    const before = await readRevision(late);
    // As many rows are deleted as inserted, so count and maximum stay the same.
    await late.query(
      'DELETE FROM directory_revisions WHERE revision = (SELECT min(revision) FROM directory_revisions)',
    );
    const pruned = await readRevision(late);
    await early.query('COMMIT');
    const after = await readRevision(late);
    expect(after.id).not.toBe(before.id);
    expect(after.id).not.toBe(pruned.id);
  });

  test('are pruned by ingest, which then causes no further changes', async () => {
    const client = await owner();
    const { keyId, propertyId } = await createTenant();
    const { follower, loads } = follow(inject('databaseUrls').system, await snapshotPath());
    await follower.ready;
    await client.query(`DO $$ BEGIN FOR i IN 1..1200 LOOP
      UPDATE properties SET name = name WHERE id = '${propertyId}'; END LOOP; END $$`);
    await eventually(async () => {
      expect((await readRevision(client)).rowCount).toBeLessThan(1_000);
    });
    // Other tests change the directory too, so "idle" means: no more loads than revisions.
    await eventually(async () => {
      await client.query(
        'UPDATE sdk_keys SET minute_cap = coalesce(minute_cap, 0) + 1 WHERE id = $1',
        [keyId],
      );
      const { id } = await readRevision(client);
      await eventually(() => expect(loads.at(-1)?.revision).toBe(id), { deadlineMs: 1_000 });
    });
    expect(new Set(loads.map(data => data.revision)).size).toBe(loads.length);
  });
});

async function savedSnapshotNow(path: string, text: string): Promise<void> {
  expect(await readFile(path, 'utf8')).toContain(text);
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
