// The events of the benchmark of questions, made by ClickHouse itself from numbers: the same seed makes
// the same events on any machine, except that the last day is yesterday. They arrive day by day, as from
// a shop: sessions of ten events, 1 % up to 30 days late (those that would arrive after the last day are
// missing), 1 % sent again. Four of five events belong to the queried workspace.

export const DAYS = 90;
/** The first day without events: the questions run at its start. */
export const END = new Date().toISOString().slice(0, 10);

const EVENTS_PER_SESSION = 10;
const EVENTS_PER_PERSON = 50;
const OTHER_WORKSPACE_ID = '0000000a-0000-7000-8000-000000000002';
/**
 * A person with about 300 events, six times the mean. The most frequent have thousands, as only
 * machines have.
 */
const FREQUENT_SHARE = 0.007;
/** Each day is inserted in this number of inserts, so that there are parts to merge. */
const INSERTS_PER_DAY = 4;
/** In each hundred events, the event with this number is late, and another one is sent again. */
const [LATE, REPEATED] = [7, 13];
const LATE_DAYS_MAX = 30;
/** A duplicate arrives on the same day or on one of the next two days. */
const REPEATED_DAYS = 3;
/** Late in the day, so that events of the previous day are late. */
const INSERTED_AT_HOUR = 23;

export type Arrival = { readonly day: number; readonly statement: string };

export type EventsOptions = {
  readonly rows: number;
  readonly seed: number;
  /** Asked about. */
  readonly workspaceId: string;
  /** An SQL expression; without it, each event is inserted on the day on which it arrives. */
  readonly insertedAt?: string;
};

/** The statements that insert `rows` events, in the order in which they arrive. */
export function* arrivals(options: EventsOptions): Generator<Arrival> {
  const { rows, insertedAt } = options;
  const perDay = Math.ceil(rows / DAYS / 3_000) * 3_000;
  for (let day = 0; day < DAYS; day++) {
    for (let part = 0; part < INSERTS_PER_DAY; part++) {
      const numbers = numbersOf(day, part, perDay);
      if (numbers.length === 0) continue;
      const insert = {
        id: segmentIdOf(day, part),
        insertedAt: insertedAt ?? insertedOn(day, part),
      };
      yield { day, statement: insertOf(numbers.join(' UNION ALL '), insert, perDay, options) };
    }
  }
}

/** The events of one insert of a day: events of this day, late events of earlier days, duplicates. */
function numbersOf(day: number, part: number, perDay: number): string[] {
  const [size, selects] = [perDay / INSERTS_PER_DAY, [] as string[]];
  const select = (of: number, offset: number, step: number) => {
    const late = day - of;
    selects.push(
      `SELECT number AS n, ${late} AS lateDays FROM numbers(${of * perDay + part * size}, ${size}) WHERE number % ${step} = ${offset}`,
    );
  };
  if (day < DAYS)
    selects.push(
      `SELECT number AS n, 0 AS lateDays FROM numbers(${day * perDay + part * size}, ${size}) WHERE number % 100 != ${LATE}`,
    );
  for (let late = 1; late <= LATE_DAYS_MAX; late++)
    if (day - late >= 0 && day - late < DAYS)
      select(day - late, (late - 1) * 100 + LATE, LATE_DAYS_MAX * 100);
  for (let late = 0; late < REPEATED_DAYS; late++)
    if (day - late >= 0 && day - late < DAYS)
      select(day - late, late * 100 + REPEATED, REPEATED_DAYS * 100);
  return selects;
}

/** The start of a day, as an SQL expression. */
export function dayStart(day: number): string {
  return `(toDateTime64('${END} 00:00:00', 3, 'UTC') - toIntervalDay(${DAYS - day}))`;
}

/** A query for the user ID of a person with about 300 events. */
export function frequentUser(rows: number): string {
  return `
    SELECT concat('user-', toString(number)) AS userId
    FROM numbers(${Math.round(peopleOf(rows) * FREQUENT_SHARE)}, 1000) WHERE ${isKnown('number')} LIMIT 1`;
}

function peopleOf(rows: number): number {
  return Math.max(1, Math.round(rows / EVENTS_PER_PERSON));
}

function isKnown(person: string): string {
  return `cityHash64(${person}) % 10 < 6`;
}

function insertedOn(day: number, part: number): string {
  return `${dayStart(day)} + toIntervalHour(${INSERTED_AT_HOUR}) + toIntervalMinute(${part})`;
}

function segmentIdOf(day: number, part: number): string {
  return `0000000d-0000-7000-8000-${String(day * INSERTS_PER_DAY + part).padStart(12, '0')}`;
}

function insertOf(
  numbers: string,
  insert: { readonly id: string; readonly insertedAt: string },
  perDay: number,
  { rows, seed, workspaceId }: EventsOptions,
): string {
  const people = peopleOf(rows);
  const random = (of: string, salt: string) => `cityHash64(${of}, '${salt}', ${seed})`;
  return `INSERT INTO events_raw (${COLUMNS.join(', ')})
    WITH intDiv(n, ${EVENTS_PER_SESSION}) AS session,
         intDiv(n, ${perDay}) AS day,
         ${random('session', 'person')} AS chance,
         -- A few people are here often, most seldom.
         toUInt64(${people} * pow((chance % 1000003) / 1000003, 2)) AS person,
         ${isKnown('person')} AS isKnown,
         ${random('n', 'event')} AS e,
         e % 1000 AS kind,
         toDateTime64('${END} 00:00:00', 3, 'UTC') - INTERVAL ${DAYS} DAY + toIntervalDay(day)
           + toIntervalMillisecond(least(86399999, ${random('session', 'time')} % 85000000
             + (n % ${EVENTS_PER_SESSION}) * 40000 + e % 30000)) AS at,
         at + toIntervalDay(lateDays) + toIntervalMillisecond(800 + e % 5000) AS received,
         arrayElement(${listOf(NAMES.flatMap(([name, share]) => Array.from({ length: share }, () => name)))}, kind % 100 + 1) AS called,
         arrayElement(${listOf(CATEGORIES)}, intDiv(e, 1000) % ${CATEGORIES.length} + 1) AS category,
         (intDiv(e, 7919) % 5000000) / 100 + 5 AS price,
         concat('/', category, '/', toString(intDiv(e, 13) % 4000)) AS path
    SELECT toUUID(if(session % 5 = 0, '${OTHER_WORKSPACE_ID}', '${workspaceId}')),
           toUUID('0000000b-0000-7000-8000-000000000001'), toUUID('0000000c-0000-7000-8000-000000000001'),
           if(called = 'page', 'page', 'track'), if(called = 'page', '', called), if(called = 'page', path, ''),
           concat(lower(hex(${random('n', 'id')})), '-', hex(n)),
           at, '', received - toIntervalMillisecond(400), '', received, at,
           concat('device-', hex(cityHash64(person, 'device'))), if(isKnown, concat('user-', toString(person)), ''),
           concat('session-', hex(session)),
           multiIf(
             called = 'Order Completed', concat('{"order_id":"order-', toString(n), '","total":', toString(price), ',"currency":"INR","category":"', category, '","coupon":null,"products":[{"product_id":"product-', toString(intDiv(e, 13) % 4000), '","name":"Product ', toString(intDiv(e, 13) % 4000), '","price":', toString(price), ',"quantity":1},{"product_id":"product-', toString(intDiv(e, 17) % 4000), '","name":"Product ', toString(intDiv(e, 17) % 4000), '","price":', toString(price / 2), ',"quantity":2}]}'),
             called = 'page', concat('{"title":"', category, ' | The Shop","path":"', path, '","referrer":"https://search.example/?q=', category, '"}'),
             concat('{"product_id":"product-', toString(intDiv(e, 13) % 4000), '","category":"', category, '","price":', toString(price), ',"position":', toString(e % 40), ',"list":"recommended"}')),
           '',
           concat('{"app":{"name":"Shop","version":"4.', toString(session % 12), '.1"},"device":{"manufacturer":"', arrayElement(${listOf(MAKERS)}, chance % ${MAKERS.length} + 1), '","model":"Model ', toString(chance % 40), '"},"os":{"name":"', if(chance % 3 = 0, 'iOS', 'Android'), '","version":"', toString(12 + chance % 6), '"},"page":{"path":"', path, '","url":"https://shop.example', path, '"},"campaign":{"source":"', arrayElement(${listOf(SOURCES)}, session % ${SOURCES.length} + 1), '","medium":"cpc","name":"autumn"},"locale":"en-IN","timezone":"Asia/Kolkata","screen":{"width":1080,"height":2400,"density":3},"network":{"carrier":"Carrier ', toString(chance % 6), '","wifi":', if(chance % 2 = 0, 'true', 'false'), '},"library":{"name":"sdk","version":"2.4.1"}}'),
           '', '', '', toUUID('${insert.id}'), rowNumberInAllBlocks(), ${insert.insertedAt}
    FROM (${numbers})
    SETTINGS max_partitions_per_insert_block = 0`;
}

const COLUMNS = [
  'workspace_id',
  'property_id',
  'sdk_key_id',
  'type',
  'event',
  'name',
  'message_id',
  'timestamp',
  'timestamp_text',
  'sent_at',
  'sent_at_text',
  'received_at',
  'corrected_at',
  'anonymous_id',
  'user_id',
  'session_id',
  'properties',
  'traits',
  'context',
  'extra',
  'batch_context',
  'batch_extra',
  'batch_id',
  'batch_row',
  'inserted_at',
];

/** Each with its share of a hundred. */
const NAMES: readonly (readonly [string, number])[] = [
  ['Product Viewed', 28],
  ['page', 18],
  ['Product List Viewed', 12],
  ['Product Added', 8],
  ['App Opened', 7],
  ['Products Searched', 6],
  ['Checkout Started', 4],
  ['Order Completed', 3],
  ['Cart Viewed', 4],
  ['Product Shared', 2],
  ['Wishlist Added', 2],
  ['Notification Opened', 2],
  ['Signed In', 1],
  ['Coupon Applied', 1],
  ['Product Removed', 1],
  ['Payment Info Entered', 1],
];
const CATEGORIES = ['shoes', 'shirts', 'bags', 'phones', 'books', 'toys', 'garden', 'kitchen'];
const MAKERS = ['Samsung', 'Apple', 'Xiaomi', 'OnePlus', 'Google'];
const SOURCES = ['search', 'newsletter', 'social', 'direct', 'partner', 'push'];

function listOf(names: readonly string[]): string {
  return `[${names.map(name => `'${name}'`).join(', ')}]`;
}
