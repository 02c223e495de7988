import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../harness/random.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { eventRow, insertRows, type Row, reportOf } from '../harness/report-rows.ts';

const api = useSharedApi();

type Counts = {
  readonly bucketStarts: readonly string[];
  readonly lines: readonly {
    readonly type: string | null;
    readonly name: string | null;
    readonly isRest: boolean;
    readonly total: number;
    readonly counts: readonly number[];
  }[];
};

const COUNTS = `query (
  $range: ReportRange!, $bucket: BucketSize!, $timeZone: String!, $top: Int!,
  $types: [EventType!], $names: [String!]
) {
  eventCounts(
    range: $range, bucket: $bucket, timeZone: $timeZone, top: $top, types: $types, names: $names
  ) { bucketStarts lines { type name isRest total counts } }
}`;

const NAMES = ['Order Completed', 'Cart Updated', "it's \\ 'quoted'", '注文完了', '{x:String}', ''];
const FROM_MS = Date.UTC(2026, 9, 20, 5, 40);
const TO_MS = FROM_MS + 12 * 86_400_000;

/** Random events over the range and a day on either side; a tenth of them are stored twice. */
function generate(tenant: Tenant, seed: number): Row[] {
  const random = createRandom(seed);
  const rows = Array.from({ length: 3_000 }, (_, number) => {
    const type = random.pick(['track', 'track', 'page', 'identify']);
    const name = NAMES[Math.min(random.below(6), random.below(6))]!;
    return eventRow(tenant, {
      type,
      event: type === 'track' ? name : '',
      name: type === 'page' ? name : '',
      message_id: `${seed}-${number}`,
      timestamp: new Date(FROM_MS - 86_400_000 + random.below(14 * 86_400) * 1000).toISOString(),
      user_id: `user-${random.below(20)}`,
    });
  });
  return [...rows, ...rows.filter(() => random.below(10) === 0)];
}

type Reference = { readonly top: number; readonly types?: string[]; readonly names?: string[] };

/** A reference implementation of the same report. */
function reference(rows: readonly Row[], starts: readonly number[], asked: Reference) {
  const once = new Map(rows.map(row => [row.message_id, row])).values();
  const lines = new Map<string, { type: string; name: string; counts: number[] }>();
  for (const row of once) {
    const ms = Date.parse(row.timestamp as string);
    const [type, name] = [row.type as string, (row.event as string) || (row.name as string)];
    if (ms < FROM_MS || ms >= TO_MS) continue;
    if (asked.types && !asked.types.includes(type.toUpperCase())) continue;
    if (asked.names && !asked.names.includes(name)) continue;
    const line = lines.get(`${type} ${name}`) ?? { type, name, counts: starts.map(() => 0) };
    lines.set(`${type} ${name}`, line);
    line.counts[starts.findLastIndex(start => start <= ms)]!++;
  }
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  const bytes = (text: string) => Buffer.from(text);
  const ordered = [...lines.values()].sort(
    (a, b) =>
      sum(b.counts) - sum(a.counts) ||
      Buffer.compare(bytes(a.type), bytes(b.type)) ||
      Buffer.compare(bytes(a.name), bytes(b.name)),
  );
  const rest = ordered.slice(asked.top);
  const shown = ordered.slice(0, asked.top).map(({ type, name, counts }) => ({
    type: type.toUpperCase() as string | null,
    name: name as string | null,
    isRest: false,
    total: sum(counts),
    counts,
  }));
  if (rest.length === 0) return shown;
  const counts = starts.map((_, index) => sum(rest.map(line => line.counts[index]!)));
  return [...shown, { type: null, name: null, isRest: true, total: sum(counts), counts }];
}

describe('against a reference', () => {
  let tenant: Tenant;
  let rows: Row[];
  beforeAll(async () => {
    tenant = await createTenant();
    rows = generate(tenant, 7);
    await insertRows('events_raw', rows);
    const stranger = await createTenant();
    await insertRows('events_raw', generate(stranger, 8));
  });

  test.for([
    ['HOUR', 'UTC', { top: 3 }],
    ['DAY', 'Asia/Kolkata', { top: 50 }],
    ['DAY', 'America/New_York', { top: 1 }],
    ['HOUR', 'Europe/Berlin', { top: 2, types: ['TRACK', 'PAGE'] }],
    ['DAY', 'UTC', { top: 10, names: ["it's \\ 'quoted'", '注文完了', 'not there'] }],
    ['DAY', 'UTC', { top: 10, types: ['PAGE'], names: ['{x:String}', ''] }],
    ['DAY', 'UTC', { top: 10, names: ["') OR 1=1 --"] }],
  ] as const)('by %s of %s: %j', async ([bucket, timeZone, asked]) => {
    const range = { from: new Date(FROM_MS).toISOString(), to: new Date(TO_MS).toISOString() };
    const variables = { range, bucket, timeZone, ...asked };
    const counts = await reportOf<Counts>(api(), tenant, COUNTS, variables);
    const starts = counts.bucketStarts.map(text => Date.parse(text));
    expect(starts[0]).toBeLessThanOrEqual(FROM_MS);
    expect(counts.lines).toEqual(reference(rows, starts, asked as Reference));
  });
});

test('a workspace without events has buckets and no lines', async () => {
  const counts = await reportOf<Counts>(api(), await createTenant(), COUNTS, {
    range: { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z' },
    bucket: 'DAY',
    timeZone: 'UTC',
    top: 10,
  });
  expect(counts).toEqual({
    bucketStarts: ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    lines: [],
  });
});
