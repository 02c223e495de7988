// The key directory while Postgres is unavailable, and after it returns.

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { migrate } from '../../../migrations/migrate.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, revokeKey, sql } from '../../harness/tenant.ts';
import { snapshotPath, useFollowers } from './followers.ts';

const HOUR_MS = 60 * 60 * 1000;

const { follow, proxyOf } = useFollowers();

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
});

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
