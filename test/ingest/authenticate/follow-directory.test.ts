import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { buildDirectory, type Directory } from '../../../ingest/authenticate/directory.ts';
import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';
import { readRevision } from '../../../ingest/authenticate/directory-revision.ts';
import { writeSnapshot } from '../../../ingest/authenticate/directory-snapshot.ts';
import {
  type DirectoryFollower,
  type DirectoryState,
  followDirectory,
} from '../../../ingest/authenticate/follow-directory.ts';
import { loadDirectory } from '../../../ingest/authenticate/load-directory.ts';
import { migrate } from '../../../migrations/migrate.ts';
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
  readonly follower: DirectoryFollower;
  readonly clock: { ms: number; nowMs(): number };
  readonly loads: DirectoryData[];
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
  let directory: Directory | undefined;
  const follower = followDirectory({
    databaseUrl,
    snapshotPath,
    clock,
    log,
    onChange: data => {
      // As between threads.
      loads.push(structuredClone(data));
      directory = buildDirectory(structuredClone(data));
    },
    onState: state => states.push(state),
  });
  cleanUps.push(() => follower.stop());
  return { follower, clock, loads, states, lines, directory: () => directory! };
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
  test('keys made, capped and revoked show without a restart', async () => {
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

  test('a key works until its time is over, and no longer', async () => {
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

  test('that a key was used is no reason to load the directory again', async () => {
    const { owner } = await ownDatabase();
    await createTenant({ databaseUrl: owner });
    const revisions = () => sql('SELECT max(revision) FROM directory_revisions', [], owner);
    const before = await revisions();
    await sql('UPDATE sdk_keys SET last_used_at = now()', [], owner);
    expect(await revisions()).toEqual(before);
    await sql('UPDATE sdk_keys SET expires_at = now()', [], owner);
    expect(await revisions()).not.toEqual(before);
  });

  test('one load that took long does not put off the changes after it', async () => {
    const tenant = await createTenant();
    const { follower, directory, loads } = follow(
      inject('databaseUrls').system,
      await snapshotPath(),
    );
    await follower.ready;
    const before = loads.length;
    // The revision moves at the end of each statement; the load that follows waits for the lock.
    await sql(`UPDATE sdk_keys SET name = 'edited' WHERE id = '${tenant.keyId}'`);
    await sql(
      'BEGIN; LOCK TABLE properties IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1.5); COMMIT',
    );
    await eventually(() => expect(loads.length).toBeGreaterThan(before));
    await revokeKey(tenant.keyId);
    // Promised is a second; the rest is for a busy machine.
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeUndefined(), {
      deadlineMs: 4_000,
    });
  });

  test('caps arrive with their numbers', async () => {
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

  test('the snapshot follows, for its owner only, and its age is renewed', async () => {
    const tenant = await createTenant();
    const path = await snapshotPath();
    // As a crash might have left it.
    await writeFile(`${path}.tmp`, 'half', { mode: 0o644 });
    const { follower, clock } = follow(inject('databaseUrls').system, path);
    await follower.ready;
    const first = await savedSnapshot(path, tenant.writeKey);
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    clock.ms += HOUR_MS;
    await savedSnapshot(path, `"confirmedAtMs":${clock.ms}`);
    expect(first).not.toContain(`"confirmedAtMs":${clock.ms}`);
  });

  test('a disk that takes no snapshot does not stop the following', async () => {
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

  test('a role that would see empty tables is refused', async () => {
    const client = new pg.Client({ connectionString: inject('databaseUrls').app });
    await client.connect();
    cleanUps.push(() => client.end());
    await expect(loadDirectory(client, 0)).rejects.toThrow('member of service_system');

    const { follower, lines, loads } = follow(inject('databaseUrls').app, await snapshotPath());
    await eventually(() => expect(lines.join('')).toContain('permission denied'));
    expect(loads).toEqual([]);
    expect(follower.state()).toMatchObject({ isReachable: false, source: 'none' });
  });
});

describe('without Postgres', () => {
  test('the directory stays in use, also past a day, and catches up after', async () => {
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
    expect(lines.join('')).toContain('not confirmed for a day');

    await revokeKey(tenant.keyId);
    proxy.heal();
    await eventually(() => expect(directory().accountOf(tenant.writeKey)).toBeUndefined());
    await eventually(() =>
      expect(states.at(-1)).toMatchObject({ isReachable: true, isStale: false }),
    );
  });

  test('another database behind the same address is not taken for the old one', async () => {
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

  test('a network that swallows every byte is noticed', async () => {
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

  test('a start takes the snapshot, then Postgres once it is there', async () => {
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
    const data = await loadDirectory(client, savedAtMs);
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

    // It is no dead end: Postgres gives a directory, and the snapshot is good again.
    started.clock.ms = savedAtMs;
    proxy.heal();
    await started.follower.ready;
    await savedSnapshot(path, `"confirmedAtMs":${savedAtMs}`);
  });
});

describe('the rows that tell of changes', () => {
  async function owner(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: inject('databaseUrls').owner });
    await client.connect();
    cleanUps.push(() => client.end());
    return client;
  }

  test('show a commit that overtook another, and one hidden behind a pruning', async () => {
    const [early, late] = [await owner(), await owner()];
    await early.query('BEGIN');
    await early.query('UPDATE cells SET region = region');
    await late.query('UPDATE properties SET name = name WHERE false');
    const before = await readRevision(late);
    // As many rows go as come: count and maximum stay the same.
    await late.query(
      'DELETE FROM directory_revisions WHERE revision = (SELECT min(revision) FROM directory_revisions)',
    );
    const pruned = await readRevision(late);
    await early.query('COMMIT');
    const after = await readRevision(late);
    expect(after.id).not.toBe(before.id);
    expect(after.id).not.toBe(pruned.id);
  });

  test('are pruned by ingest, which then comes to rest', async () => {
    const client = await owner();
    const { follower, loads } = follow(inject('databaseUrls').system, await snapshotPath());
    await follower.ready;
    await client.query(`DO $$ BEGIN FOR i IN 1..1200 LOOP
      UPDATE properties SET name = name WHERE false; END LOOP; END $$`);
    await eventually(async () => {
      expect((await readRevision(client)).rowCount).toBeLessThan(1_000);
    });
    // Other tests change the directory too, so at rest means: not more loads than revisions.
    await eventually(async () => {
      expect(loads.at(-1)?.revision).toBe((await readRevision(client)).id);
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
