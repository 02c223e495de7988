import pg from 'pg';
import { expect, test } from 'vitest';
import {
  GroupedStatement,
  PostgresUnavailable,
} from '../../../ingest/postgres/grouped-statement.ts';
import type { PostgresClient } from '../../../ingest/postgres/statement.ts';

const client: PostgresClient = { query: async () => ({ rows: [], rowCount: 0 }) };
const COMMITTED = { status: 'fulfilled', value: 'committed' };

/** `ran`: the items of each statement. Their time to wait is not limited. */
function addAll(items: readonly string[], ran: string[][]) {
  const grouped = new GroupedStatement<string, string>({
    client: () => client,
    run: async (_, group) => {
      ran.push([...group]);
      if (group.includes('refused'))
        throw Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '22021' });
      if (group.includes('lost')) throw new Error('lost');
      return group.map(() => 'committed');
    },
    groupMax: 300,
    waitingMax: 600,
    waitMaxMs: Number.POSITIVE_INFINITY,
  });
  return Promise.allSettled(items.map(item => grouped.add(item)));
}

test('a refused item of a large group fails alone, and few statements commit the others in order', async () => {
  const ran: string[][] = [];
  const items = Array.from({ length: 300 }, (_, i) => (i === 123 ? 'refused' : `item-${i}`));
  const outcomes = await addAll(items, ran);
  expect(outcomes[123]).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
  expect(outcomes.toSpliced(123, 1)).toEqual(Array.from({ length: 299 }, () => COMMITTED));
  const committed = ran.filter(group => !group.includes('refused'));
  expect(committed.flat()).toEqual(items.toSpliced(123, 1));
  // At most one for each halving.
  expect(committed.length).toBeLessThanOrEqual(Math.ceil(Math.log2(items.length)));
});

test('after a refusal, an error that is not a refusal fails the rest of the group', async () => {
  const ran: string[][] = [];
  const rest = Array.from({ length: 298 }, (_, i) => `item-${i}`);
  const outcomes = await addAll(['refused', 'lost', ...rest, 'next group'], ran);
  expect(outcomes[0]).toMatchObject({ reason: { code: '22021' } });
  for (const outcome of outcomes.slice(1, -1))
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(PostgresUnavailable);
  expect(outcomes.at(-1)).toEqual(COMMITTED);
  // The group that had both was halved until the refused item was alone, and then the next part failed.
  expect(ran.slice(-3).map(group => group[0])).toEqual(['refused', 'lost', 'next group']);
  expect(ran.at(-1)).toEqual(['next group']);
});
