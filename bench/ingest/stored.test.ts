import { expect, test } from 'vitest';
import { checkStored } from './stored.ts';

const OURS = { table: 'events_raw', view: 'events' };

function warehouse(copies: number, once: number) {
  return { ask: async (sql: string) => String(sql.endsWith(OURS.table) ? copies : once) };
}

test.each([
  ['all are there, once', 100, 100, 0, undefined],
  ['one is missing', 99, 99, 0, '100 events were acknowledged'],
  ['one is there twice', 101, 100, 0, '100 events were acknowledged'],
  ['one hides another', 101, 99, 0, '100 events were acknowledged'],
  ['a refused one is there all the same', 105, 105, 10, undefined],
  ['more than were ever sent', 111, 111, 10, 'at most 110 sent'],
])('%s', async (_, copies, once, refused, fault) => {
  const checked = checkStored(warehouse(copies, once), OURS, { least: 100, most: 100 + refused });
  if (fault === undefined) await expect(checked).resolves.toBeUndefined();
  else await expect(checked).rejects.toThrow(fault);
});

test.each([
  ['stored, the acknowledged ones are too', 103, 3, undefined],
  [
    'stored in place of acknowledged ones',
    101,
    3,
    '98 of them are in events, together with 3 events of failed',
  ],
])('events of failed requests: %s', async (_, once, doubtful, fault) => {
  const ask = async (sql: string) => String(sql.includes("IN ('0a','0b','0c')") ? doubtful : once);
  const expected = { least: 100, most: 110, doubtfulIds: ['0a', '0b', '0c'] };
  const checked = checkStored({ ask }, OURS, expected);
  if (fault === undefined) await expect(checked).resolves.toBeUndefined();
  else await expect(checked).rejects.toThrow(fault);
});

test('servers that store nothing are not checked', async () => {
  const nothing = { table: undefined, view: undefined };
  await expect(checkStored(warehouse(0, 0), nothing, { least: 100, most: 100 })).resolves.toBe(
    undefined,
  );
});
