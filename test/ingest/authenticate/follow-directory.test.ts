// Changes of the key directory in Postgres reach ingest.

import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import type { DirectoryChange } from '../../../ingest/authenticate/directory-data.ts';
import { readRevision } from '../../../ingest/authenticate/directory-revision.ts';
import { loadDirectory } from '../../../ingest/authenticate/load-directory.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createKey, createTenant, revokeKey, sql } from '../../harness/tenant.ts';
import { snapshotPath, useFollowers } from './followers.ts';

const { cleanUps, follow } = useFollowers();

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
