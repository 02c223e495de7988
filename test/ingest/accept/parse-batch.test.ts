// The WebAssembly module reads and encodes batches like the simple reader in reference/, and
// produces the same rows as the first encoder.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkEnvelope } from '../../../ingest/accept/accept-batch.ts';
import { encodeEventRows } from '../../../ingest/accept/encode-event-rows.ts';
import { findDuplicates } from '../../../ingest/accept/find-duplicates.ts';
import { type ParsedBatch, parseBatch } from '../../../ingest/accept/parse-batch.ts';
import { createRecentIdsMemory, RecentIds } from '../../../ingest/accept/recent-ids.ts';
import { MESSAGE_ID } from '../../../ingest/accept/scan/fields.ts';
import { BODY_BYTES_MAX } from '../../../ingest/limits.ts';
import { readRow, splitRows } from '../../../ingest/spool/split-rows.ts';
import { EVENTS_RAW } from '../../../schema/rows/events-raw.ts';
import { RowWriter } from '../../../schema/rows/row-writer.ts';
import { parseInstant } from '../../../schema/values/instant.ts';
import { uuidToRowBinary } from '../../../schema/values/uuid-bytes.ts';
import { createRandom } from '../../harness/random.ts';
import { type ReferenceBatch, type ReferenceEvent, readBatch } from './reference/read-batch.ts';
import { wildBody } from './reference/wild-body.ts';

const IS_LONG = process.env.TEST_LONG === '1';
const BODIES = IS_LONG ? 200_000 : 1_000;
const SEED = Number(process.env.TEST_SEED ?? (IS_LONG ? Date.now() % 1_000_000 : 1));

const WORKSPACE = '01912345-6789-7abc-8def-0123456789ab';
const PROPERTY = '11912345-6789-7abc-8def-0123456789ab';
const KEY = '21912345-6789-7abc-8def-0123456789ab';
const SEGMENT = '31912345-6789-7abc-8def-0123456789ab';
const FIRST_ROW = 70_000;
const SENT_AT_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

type Clocks = { readonly skewMs: number; readonly sentAtText: string };

function rowsOf(batch: ParsedBatch, chosen: number[], { skewMs, sentAtText }: Clocks): Buffer {
  const writer = new RowWriter(16);
  const facts = {
    endpoint: '/v1/batch',
    workspaceIdBytes: uuidToRowBinary(WORKSPACE),
    propertyIdBytes: uuidToRowBinary(PROPERTY),
    keyIdBytes: uuidToRowBinary(KEY),
    receivedAtMs: SENT_AT_MS + skewMs,
    sentAtMs: SENT_AT_MS,
    sentAtText,
  };
  const place = { segmentIdBytes: uuidToRowBinary(SEGMENT), firstRow: FIRST_ROW };
  encodeEventRows(writer, batch, chosen, facts, place);
  return Buffer.from(writer.written());
}

function expectedRow(
  batch: ReferenceBatch,
  { fields, extra }: ReferenceEvent,
  row: number,
  { skewMs, sentAtText }: Clocks,
) {
  const field = (name: string) => fields.get(name) ?? '';
  const { ms, isCanonical } = parseInstant(field('timestamp'))!;
  const correctedMs = Math.abs(skewMs) > 5 * 60_000 ? ms + skewMs : ms;
  const earliestMs = Date.UTC(1970, 0, 1);
  const latestMs = Date.UTC(2106, 0, 1) - 1;
  return {
    workspace_id: WORKSPACE,
    property_id: PROPERTY,
    sdk_key_id: KEY,
    type: field('type'),
    event: field('event'),
    name: field('name'),
    message_id: field('messageId'),
    timestamp: new Date(ms).toISOString(),
    timestamp_text: isCanonical ? '' : field('timestamp'),
    sent_at: new Date(SENT_AT_MS).toISOString(),
    sent_at_text: sentAtText,
    received_at: new Date(SENT_AT_MS + skewMs).toISOString(),
    corrected_at: new Date(Math.min(Math.max(correctedMs, earliestMs), latestMs)).toISOString(),
    anonymous_id: field('anonymousId'),
    user_id: field('userId'),
    session_id: field('sessionId'),
    properties: field('properties'),
    traits: field('traits'),
    context: field('context'),
    extra,
    batch_context: batch.context,
    batch_extra: batch.extra,
    batch_id: SEGMENT,
    batch_row: row,
  };
}

function compare(body: Buffer, clocks: Clocks, between?: Buffer): void {
  const expected = readBatch(body);
  const batch = parseBatch(body);
  if ('code' in expected || 'code' in batch) {
    same(batch, expected);
    return;
  }
  const { events } = batch;
  expect(batch.writeKey).toBe(expected.writeKey);
  expect(batch.sentAt).toBe(expected.sentAt);
  expect(batch.eventCount).toBe(expected.eventCount);
  expect(batch.contextProblem).toEqual(expected.contextFault);
  const found = Array.from({ length: events.count }, (_, event) => ({
    body: body.toString('utf8', events.bodyStart(event), events.bodyEnd(event)),
    fault: events.problem(event),
    messageId: events.text(event, MESSAGE_ID),
  }));
  same(
    found,
    expected.events.map(event => ({
      body: event.body,
      fault: event.fault,
      messageId: event.fields.get('messageId'),
    })),
  );
  if (checkEnvelope(batch) !== undefined) return;
  const chosen = expected.events.flatMap(({ fault }, event) => (fault === undefined ? event : []));
  // Requests are interleaved: another body may be parsed before this one is encoded.
  if (between !== undefined) parseBatch(between);
  const { columns } = EVENTS_RAW;
  const rows = splitRows([rowsOf(batch, chosen, clocks)], columns).map(row =>
    readRow(row, columns),
  );
  same(
    rows,
    chosen.map((event, i) => expectedRow(expected, expected.events[event]!, FIRST_ROW + i, clocks)),
  );
  compareDuplicates(batch, expected);
}

/** Much faster than `expect`, which is only used to print the difference. */
function same(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected);
}

function compareDuplicates({ events }: ParsedBatch, expected: ReferenceBatch): void {
  const owner = { workspaceIdBytes: uuidToRowBinary(WORKSPACE) };
  const { isDuplicate } = findDuplicates(
    events,
    owner,
    new RecentIds(createRecentIdsMemory(1, 16)),
  );
  const seen = new Set<string>();
  const repeats = expected.events.map(({ fault, fields }) => {
    const id = fields.get('messageId')!;
    const isRepeat = fault === undefined && seen.has(id);
    if (fault === undefined) seen.add(id);
    return isRepeat ? 1 : 0;
  });
  same([...isDuplicate], repeats);
}

test(`${BODIES} bodies of every kind (TEST_SEED=${SEED})`, { timeout: 1_800_000 }, () => {
  const random = createRandom(SEED);
  let earlier: Buffer | undefined;
  for (let i = 0; i < BODIES; i++) {
    const body = wildBody(random);
    if (body.length > BODY_BYTES_MAX) continue;
    const clocks = {
      skewMs: random.pick([0, 1_000, HOUR_MS, -HOUR_MS, 1e12, -1e12]),
      sentAtText: random.pick(['', '2026-01-01']),
    };
    compare(body, clocks, random.below(4) === 0 ? earlier : undefined);
    earlier = body;
  }
});

describe('the largest', () => {
  const batchOf = (event: string) => `{"batch":[${event}],"sentAt":"2026-01-01T00:00:00.000Z"}`;
  const sized = (text: (filler: number) => string, unit: number) => {
    const room = BODY_BYTES_MAX - Buffer.byteLength(text(0));
    return Buffer.from(text(Math.floor(room / unit)));
  };
  const event = (member: string) =>
    batchOf(
      `{"type":"page","messageId":"1","timestamp":"2026-01-01T00:00:00Z","anonymousId":"a","sessionId":"s"${member}}`,
    );

  test.for<[string, Buffer]>([
    ['string', sized(count => event(`,"x":"${'x'.repeat(count)}"`), 1)],
    ['string of escapes', sized(count => event(`,"name":"${'\\u00e9'.repeat(count)}"`), 6)],
    ['unknown members', sized(count => event(',"":0'.repeat(count)), 5)],
    ['members of the batch', sized(count => `{"batch":[]${',"":0'.repeat(count)}}`, 5)],
    ['nesting', sized(count => event(`,"x":${'['.repeat(count)}${']'.repeat(count)}`), 2)],
    ['nesting without end', sized(count => event(`,"x":${'['.repeat(count)}`), 1)],
    ['number of events', sized(count => batchOf(`1${',1'.repeat(count)}`), 2)],
    ['white space', sized(count => batchOf(' '.repeat(count)), 1)],
    ['number', sized(count => event(`,"properties":{"x":${'9'.repeat(count)}}`), 1)],
  ])('%s', ([, body]) => {
    compare(body, { skewMs: 0, sentAtText: '' });
  });

  test('rows: a hundred, each with the whole envelope', () => {
    const events = Array.from(
      { length: 100 },
      (_, i) =>
        `{"type":"page","messageId":"${i}","timestamp":"2026-01-01T00:00:00Z","anonymousId":"a","sessionId":"s","name":"${'n'.repeat(512)}","x":"${'x'.repeat(3_500)}"}`,
    );
    const extra = ',"":0'.repeat(4_000);
    const body = `{"batch":[${events.join(',')}],"sentAt":"2026-01-01T00:00:00.000Z"${extra}}`;
    expect(checkEnvelope(parseBatch(Buffer.from(body)) as ParsedBatch)).toBeUndefined();
    compare(Buffer.from(body), { skewMs: 0, sentAtText: '' });
  });
});

/** The hash of the rows written by the encoder that was in use when version 1 was fixed. */
const GOLDEN_SHA256 = '1a0e7e11ee3d7b7bfbf19c25f3cb0f1bd34005f1b2124636306ce273d0d86fb2';

test('the rows of a batch have the encoding of their encoder version', () => {
  const body = readFileSync(new URL('./golden-batch.body', import.meta.url));
  const batch = parseBatch(body) as ParsedBatch;
  const chosen = Array.from({ length: batch.events.count }, (_, event) => event).filter(
    event => !batch.events.isRefused(event),
  );
  const rows = rowsOf(batch, chosen, { skewMs: HOUR_MS, sentAtText: '2026-01-01' });
  expect(EVENTS_RAW.encoderVersion).toBe(1);
  expect([chosen.length, rows.length]).toEqual([16, 8_780]);
  expect(createHash('sha256').update(rows).digest('hex')).toBe(GOLDEN_SHA256);
});
