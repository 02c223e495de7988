// The statements that write contacts, on a real Postgres: compared with a model that applies
// updates in plain code, and run by several writers at once.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { OutboxRow } from '../../../ingest/outbox/outbox.ts';
import { writeContacts } from '../../../ingest/outbox/write-contacts.ts';
import { contactsOf } from '../../harness/contact.ts';
import { createTenant } from '../../harness/tenant.ts';

const WRITERS = 4;
const START_MS = Date.UTC(2026, 0, 1);
const clients: pg.Client[] = [];

beforeAll(async () => {
  for (let i = 0; i < WRITERS; i++) {
    const client = new pg.Client({ connectionString: inject('databaseUrls').system });
    await client.connect();
    clients.push(client);
  }
});
afterAll(() => Promise.all(clients.map(client => client.end())));

type Update = {
  readonly user: string;
  readonly device: string;
  readonly minute: number;
  readonly traits: Readonly<Record<string, number>>;
};
type Known = { traits: Record<string, number>; device: string | null; minute: number };

function rowsOf(workspaceId: string, updates: readonly Update[]): OutboxRow[] {
  return updates.map(({ user, device, minute, traits }) => ({
    workspace_id: workspaceId,
    user_id: user,
    anonymous_id: device,
    traits: JSON.stringify(traits),
    occurred_at: timeOf(minute).toISOString(),
  }));
}

function timeOf(minute: number): Date {
  return new Date(START_MS + minute * 60_000);
}

/** Updates older than the last known one only add traits; newer ones overwrite them. */
function apply(people: Map<string, Known>, updates: readonly Update[]): void {
  for (const user of new Set(updates.map(update => update.user))) {
    const known = people.get(user) ?? { traits: {}, device: null, minute: -Infinity };
    const mine = updates
      .filter(update => update.user === user)
      .toSorted((a, b) => a.minute - b.minute);
    const overlay = (some: Update[]): Record<string, number> =>
      Object.assign({}, ...some.map(update => update.traits)) as Record<string, number>;
    const isOlder = ({ minute }: Update) => minute < known.minute;
    const device = mine.findLast(update => update.device !== '')?.device ?? null;
    const last = mine.at(-1)!.minute;
    people.set(user, {
      traits: {
        ...overlay(mine.filter(isOlder)),
        ...known.traits,
        ...overlay(mine.filter(update => !isOlder(update))),
      },
      device: last >= known.minute ? (device ?? known.device) : (known.device ?? device),
      minute: Math.max(last, known.minute),
    });
  }
}

const update = fc.record({
  user: fc.constantFrom('a', 'b', 'c'),
  device: fc.constantFrom('', 'd1', 'd2'),
  minute: fc.nat(9),
  traits: fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.nat(99), { noNullPrototype: true }),
});

test('any statements have the same result as the model, and so have repeats of the last one', async () => {
  const statements = fc.array(fc.array(update, { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(statements, async groups => {
      const { workspaceId } = await createTenant();
      const people = new Map<string, Known>();
      for (const updates of groups) {
        await writeContacts(clients[0]!, rowsOf(workspaceId, updates));
        apply(people, updates);
      }
      await writeContacts(clients[0]!, rowsOf(workspaceId, groups.at(-1)!));
      const expected = [...people]
        .map(([user_id, { traits, device, minute }]) => {
          return { user_id, traits, anonymous_id: device, traits_at: timeOf(minute) };
        })
        .sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
      const found = await contactsOf(workspaceId);
      expect(
        found.map(({ user_id, traits, anonymous_id, traits_at }) => {
          return { user_id, traits, anonymous_id, traits_at };
        }),
      ).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('several writers of the same people, in different orders, never deadlock', async () => {
  const { workspaceId } = await createTenant();
  const users = Array.from({ length: 60 }, (_, i) => `user-${i}`);
  const rounds = 25;
  await Promise.all(
    clients.map(async (client, writer) => {
      for (let round = 0; round < rounds; round++) {
        const at = (writer * 17 + round * 7) % users.length;
        const turned = [...users.slice(at), ...users.slice(0, at)];
        const order = writer % 2 === 0 ? turned : turned.toReversed();
        const minute = round * WRITERS + writer;
        // Each round also adds new people, whose rows are inserted concurrently.
        const updates = [...order, ...order.map(user => `${round}-${user}`)].map(user => {
          return { user, device: 'd', minute, traits: { last: minute, [`by-${minute}`]: 1 } };
        });
        await writeContacts(client, rowsOf(workspaceId, updates));
      }
    }),
  );
  const found = await contactsOf(workspaceId);
  expect(found).toHaveLength(users.length * (rounds + 1));
  for (const { user_id, traits } of found.filter(contact => contact.user_id.startsWith('user-'))) {
    const { last, ...others } = traits;
    expect([user_id, last, Object.keys(others).length]).toEqual([user_id, 99, 100]);
  }
});

test('a thousand updates of one person are one statement, and those of a deleted workspace are skipped', async () => {
  const { workspaceId } = await createTenant();
  const updates = Array.from({ length: 999 }, (_, i) => {
    return { user: 'u', device: '', minute: i, traits: { last: i, [`k-${i % 10}`]: i } };
  });
  const gone = rowsOf('01980000-0000-7000-8000-00000000dead', updates.slice(0, 1));
  await writeContacts(clients[0]!, [...rowsOf(workspaceId, updates), ...gone]);
  const [contact] = await contactsOf(workspaceId);
  const latest = Object.fromEntries(
    updates.slice(-10).map(({ minute }) => [`k-${minute % 10}`, minute]),
  );
  expect(contact).toMatchObject({ anonymous_id: null, traits: { last: 998, ...latest } });
  expect(await contactsOf('01980000-0000-7000-8000-00000000dead')).toEqual([]);
});

test('the cost per person of an update does not grow with the number of people, with any query plan', async () => {
  const { workspaceId } = await createTenant();
  const client = new pg.Client({ connectionString: inject('databaseUrls').system });
  await client.connect();
  try {
    const updates = Array.from({ length: PEOPLE }, (_, i) => {
      return { user: `user-${i}`, device: 'd', minute: i, traits: { plan: i, city: i } };
    });
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`);
      const plans: PlanNode[] = [];
      const explaining = {
        query: async ({ text, values }: pg.QueryConfig) => {
          await client.query(`PREPARE explained AS ${text}`);
          const { rows } = await client.query(
            `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained(${values!.map(arrayLiteral).join(', ')})`,
          );
          await client.query('DEALLOCATE explained');
          plans.push(rows[0]['QUERY PLAN'][0].Plan);
        },
      } as unknown as pg.ClientBase;
      await writeContacts(explaining, rowsOf(workspaceId, updates));
      expect(Math.max(...plans.flatMap(rowsLookedAt))).toBeLessThan(PEOPLE * 10);
    }
  } finally {
    await client.end();
  }
});

function arrayLiteral(values: readonly unknown[]): string {
  return pg.escapeLiteral(`{${values.map(value => JSON.stringify(String(value))).join(',')}}`);
}

/** The number of people in one statement. */
const PEOPLE = 1_000;

type PlanNode = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
};

/** The number of rows read by each step of a plan. */
function rowsLookedAt(node: PlanNode): number[] {
  const { 'Actual Rows': rows, 'Actual Loops': loops, Plans: plans = [] } = node;
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return [(rows + removed) * loops, ...plans.flatMap(rowsLookedAt)];
}
