// The reads and writes of two threads through the connections of the main thread.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceChange } from '../../../ingest/accept/change-devices.ts';
import { createProcessMetrics } from '../../../ingest/observe/process-metrics.ts';
import { AskedItems } from '../../../ingest/postgres/asked-items.ts';
import { PostgresUnavailable } from '../../../ingest/postgres/grouped-statement.ts';
import { SharedLinks } from '../../../ingest/postgres/shared-links.ts';
import { ThreadDatabase } from '../../../ingest/postgres/thread-database.ts';
import { createRequestGroups } from '../../../ingest/request-groups.ts';
import { newIosToken } from '../../harness/device.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { silentLog } from '../authenticate/silent-log.ts';

const metrics = createProcessMetrics({ version: 'test', commit: 'test' }, () => undefined);
const threads: ThreadDatabase[] = [];
let owner: string;
let tenant: Tenant;
let links: SharedLinks;
beforeAll(async () => {
  ({ owner } = await ownDatabase());
  tenant = await createTenant({ databaseUrl: owner });
  links = new SharedLinks({ databaseUrl: owner, log: silentLog, onOutbox: () => undefined });
  const items = new AskedItems({
    groups: createRequestGroups(links, metrics),
    outbox: links.outbox,
    // Copied, as between threads.
    tell: (thread, outcomes) => threads[thread]!.settle(structuredClone(outcomes)),
  });
  for (const thread of [0, 1])
    threads.push(new ThreadDatabase(asked => items.receive(thread, structuredClone(asked))));
});
afterAll(async () => {
  await links.stop();
});

const connected = () => eventually(async () => expect(links.changes.client).toBeDefined());

function registration(contactId: string): DeviceChange {
  const { workspaceId, propertyId } = tenant;
  return {
    kind: 'register',
    registration: {
      workspaceId,
      propertyId,
      token: newIosToken(),
      platform: 'ios',
      contactId,
      anonymousId: '',
      appVersion: '',
      userAgent: '',
      atMs: Date.now(),
    },
  };
}

/** Each by another thread than the one before. */
function register(...contactIds: string[]): Promise<PromiseSettledResult<undefined>[]> {
  return Promise.allSettled(
    contactIds.map((id, i) => threads[i % threads.length]!.ask('devices', registration(id))),
  );
}

async function contactsWith(prefix: string): Promise<unknown[]> {
  const rows = await sql(
    'SELECT contact_id FROM devices WHERE starts_with(contact_id, $1) ORDER BY 1',
    [prefix],
    owner,
  );
  return rows.map(row => row.contact_id);
}

async function statements(): Promise<number> {
  const { values } = await metrics.postgresStatements.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

const COMMITTED = { status: 'fulfilled', value: undefined };

test('the items of all threads are committed by one statement', async () => {
  await connected();
  const before = await statements();
  expect(await register('together-1', 'together-2', 'together-3')).toEqual([
    COMMITTED,
    COMMITTED,
    COMMITTED,
  ]);
  expect((await statements()) - before).toBe(1);
  expect(await contactsWith('together')).toEqual(['together-1', 'together-2', 'together-3']);
});

test('an item that Postgres refuses does not fail those of other threads', async () => {
  await connected();
  const [first, refused, last] = await register('alone-1', 'alone-2\0', 'alone-3');
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
  expect((refused as PromiseRejectedResult).reason).toBeInstanceOf(pg.DatabaseError);
  expect([first, last]).toEqual([COMMITTED, COMMITTED]);
  expect(await contactsWith('alone')).toEqual(['alone-1', 'alone-3']);
});

test('each thread receives the results of its own items', async () => {
  const { workspaceId } = tenant;
  await eventually(async () => expect(links.questions.client).toBeDefined());
  const texts = await Promise.all(
    ['ann', 'bob', 'cem'].map((userId, i) =>
      threads[i % threads.length]!.ask('read-persons', {
        workspaceId,
        contactId: '',
        userId,
        nowMs: Date.now(),
      }),
    ),
  );
  expect(texts.map(text => JSON.parse(text!).userId)).toEqual(['ann', 'bob', 'cem']);
});

test('when the connection is lost, the items of all threads are unavailable, and later ones are committed', async () => {
  await connected();
  const blocker = new pg.Client({ connectionString: owner });
  await blocker.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE devices');
    const running = register('lost-1', 'lost-2');
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'ingest-changes' AND datname = current_database()`,
      [],
      owner,
    );
    for (const outcome of await running)
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(PostgresUnavailable);
  } finally {
    await blocker.end();
  }
  await connected();
  expect(await register('lost-4', 'lost-5')).toEqual([COMMITTED, COMMITTED]);
  expect(await contactsWith('lost')).toEqual(['lost-4', 'lost-5']);
});

test('behind a lock, waiting items are unavailable before they run, and later ones are committed', async () => {
  await connected();
  const blocker = new pg.Client({ connectionString: owner });
  await blocker.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE devices');
    // Three groups: the first runs into the timeout of its statement.
    const outcomes = await register(...Array.from({ length: 1_200 }, (_, i) => `behind-${i}`));
    const reasons = outcomes.map(outcome => (outcome as PromiseRejectedResult).reason);
    for (const reason of reasons) expect(reason).toBeInstanceOf(PostgresUnavailable);
    const late = reasons.filter(({ message }) => message === 'Earlier statements took too long.');
    expect(late).toHaveLength(700);
  } finally {
    await blocker.end();
  }
  await connected();
  expect(await register('behind-last')).toEqual([COMMITTED]);
  expect(await contactsWith('behind')).toEqual(['behind-last']);
});

test('a stopped thread rejects its items, and the other thread continues', async () => {
  await connected();
  const stopped = threads[1]!.ask('devices', registration('stopped-1'));
  threads[1]!.stop();
  await expect(stopped).rejects.toBeInstanceOf(PostgresUnavailable);
  await expect(threads[1]!.ask('devices', registration('stopped-2'))).rejects.toBeInstanceOf(
    PostgresUnavailable,
  );
  expect(await register('continues')).toEqual([COMMITTED]);
});
