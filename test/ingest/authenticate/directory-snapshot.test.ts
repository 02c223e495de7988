// The snapshot of the key directory, with which ingest starts without Postgres.

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { writeSnapshot } from '../../../ingest/authenticate/directory-snapshot.ts';
import { DirectoryTables } from '../../../ingest/authenticate/directory-tables.ts';
import { loadDirectory } from '../../../ingest/authenticate/load-directory.ts';
import { eventually } from '../../harness/eventually.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { createTenant, revokeKey } from '../../harness/tenant.ts';
import { savedSnapshot, snapshotPath, useFollowers } from './followers.ts';

const HOUR_MS = 60 * 60 * 1000;

const { cleanUps, follow, proxyOf } = useFollowers();

describe('while Postgres is reachable', () => {
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
});

describe('without Postgres', () => {
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

async function savedSnapshotNow(path: string, text: string): Promise<void> {
  expect(await readFile(path, 'utf8')).toContain(text);
}
