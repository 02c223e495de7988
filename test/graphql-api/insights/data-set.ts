// Random events of a few people, with the irregularities of real data: late IDs, repeats, equal
// times, and properties of every type.

import type { Random } from '../../harness/random.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { eventRow, type Row } from '../harness/report-rows.ts';

export type DataSet = { readonly tenant: Tenant; readonly rows: readonly Row[] };

const DAY_MS = 86_400_000;
/** Clocks in Berlin are set back on the 25th. */
export const DATA_FROM_MS = Date.UTC(2026, 9, 17, 21, 30);
export const DATA_DAYS = 14;

export const NAMES = ['A', 'A', 'A', 'B', 'B', 'C', `it's \\ "quoted"`, '注文 ✓', ''];

const PEOPLE = [
  { user_id: 'u1', anonymous_id: 'a1' },
  { user_id: '', anonymous_id: 'a1' },
  { user_id: 'u2', anonymous_id: '' },
  { user_id: '', anonymous_id: 'a3' },
  { user_id: 'u4', anonymous_id: 'a4' },
  { user_id: `O'Brien\\`, anonymous_id: 'a5' },
  { user_id: '', anonymous_id: '' },
];

/**
 * Values of a property that most events have. Multiples of a quarter, so sums are exact in any
 * order.
 */
const TOTALS = [
  '12.5',
  '12',
  '"12"',
  '1e2',
  '-0.25',
  '0',
  '1.50',
  'null',
  'true',
  '[1,2]',
  '{"total":3}',
  '""',
  '"free"',
  '7',
];
const PLANS = [
  '"pro"',
  '"free"',
  '"注文 ✓"',
  `"it's \\"quoted\\" \\\\ \\n\\t{p1:String}"`,
  '"\\u00e9t\\u00e9"',
  'null',
  '12',
  '"12"',
  'false',
  '{}',
];

export function randomRows(random: Random, tenant: Tenant): Row[] {
  const rows = Array.from({ length: 20 + random.below(80) }, (_, number) =>
    randomRow(random, tenant, `m-${number}`),
  );
  // Stored again, like retries. The copy that was received first counts.
  const repeats = rows
    .filter(() => random.below(6) === 0)
    .map(row => ({
      ...row,
      ...random.pick(PEOPLE),
      properties: randomProperties(random),
      received_at: new Date(
        Date.parse(row.received_at as string) + 1 + random.below(9e6),
      ).toISOString(),
    }));
  return random.shuffle([...rows, ...repeats]);
}

function randomRow(random: Random, tenant: Tenant, messageId: string): Row {
  const atMs = randomTimeMs(random);
  const name = random.pick(NAMES);
  const isPage = random.below(5) === 0;
  return eventRow(tenant, {
    type: isPage ? 'page' : name === '' ? 'identify' : 'track',
    event: isPage ? '' : name,
    name: isPage ? name : '',
    message_id: messageId,
    timestamp: new Date(atMs).toISOString(),
    // Some events arrive days late.
    received_at: new Date(atMs + random.pick([5, 2_000, 5 * DAY_MS])).toISOString(),
    ...random.pick(PEOPLE),
    session_id: random.pick(['s1', 's2', '']),
    property_id: random.pick(['00000000-0000-0000-0000-000000000000', tenant.propertyId]),
    properties: randomProperties(random),
    context: random.pick([
      '',
      '{}',
      '{"page":{"url":"/a"}}',
      '{"page":{"url":"/b"}}',
      '{"page":1}',
    ]),
  });
}

/** Half of the events are at a few times, so many share one. */
export function randomTimeMs(random: Random): number {
  const days = DATA_DAYS * DAY_MS;
  const offsetMs = random.below(2) === 0 ? random.below(40) * (days / 40) : random.below(days);
  return DATA_FROM_MS + offsetMs;
}

function randomProperties(random: Random): string {
  const members = [
    ...(random.below(5) > 0 ? [`"total":${random.pick(TOTALS)}`] : []),
    ...(random.below(4) > 0 ? [`"plan":${random.pick(PLANS)}`] : []),
    ...(random.below(3) > 0 ? [`"cart":{"to'tal":${random.pick(TOTALS)}}`] : []),
  ];
  return members.length === 0 ? random.pick(['', '{}']) : `{${members.join(',')}}`;
}

/**
 * Removes duplicates: of the copies with one message ID on one day, keeps the one received first.
 */
export function eventsOnce(rows: readonly Row[]): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify([(row.timestamp as string).slice(0, 10), row.event, row.message_id]);
    const known = first.get(key);
    if (known === undefined || (row.received_at as string) < (known.received_at as string))
      first.set(key, row);
  }
  return [...first.values()];
}
