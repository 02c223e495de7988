// Errors in the envelope: the whole batch is refused and nothing of it is stored.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  batchText,
  EVENTS_MAX,
  eventOf,
  eventText,
  nestedArrays,
  nestedObject,
  newMessageId,
  type Texts,
} from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { compress, compressRawDeflate, ENCODINGS } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

/** Posts a batch with these envelope fields and one valid event. */
function envelope(fields: Texts) {
  return postEvents(ingest(), tenant.writeKey, [eventText()], fields);
}

describe.concurrent('the body', () => {
  test.for([
    ['nothing', ''],
    ['white space', ' \n'],
    ['half an object', '{"batch":['],
    ['a word', 'batch'],
    ['two values', '{} {}'],
    ['form data', 'writeKey=1&batch=2'],
    ['XML', '<batch/>'],
    ['NDJSON', '{"a":1}\n{"a":2}'],
  ] as const)('%s is MALFORMED_JSON', async ([, body]) => {
    expectProblem(await post(ingest(), body), 400, 'MALFORMED_JSON');
  });

  test.for([
    ['an array', '[]'],
    ['an array of batches', '[{"batch":[],"writeKey":"x"}]'],
    ['a string', '"batch"'],
    ['a number', '12'],
    ['null', 'null'],
    ['true', 'true'],
  ] as const)('%s is INVALID_BODY', async ([, body]) => {
    expectProblem(await post(ingest(), body), 400, 'INVALID_BODY');
  });

  test('100,000 nested arrays do not cause a crash', async () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    expectProblem(await post(ingest(), body), 400, 'INVALID_BODY');
    expectProblem(await post(ingest(), '['.repeat(100_000)), 400, 'MALFORMED_JSON');
    expectProblem(await post(ingest(), '{"a":'.repeat(100_000)), 400, 'MALFORMED_JSON');
  });

  test.for(ENCODINGS)('bytes that are not %s are MALFORMED_ENCODING', async encoding => {
    const headers = { 'content-encoding': encoding };
    const body = batchText(tenant.writeKey, [eventText()]);
    expectProblem(await post(ingest(), body, { headers }), 400, 'MALFORMED_ENCODING');
  });

  test.for(ENCODINGS)('an empty body declared as %s is refused', async encoding => {
    const headers = { 'content-encoding': encoding };
    const answer = await post(ingest(), '', { headers });
    // Decompressors disagree on whether an empty stream is valid.
    const { code } = answer.json();
    expectProblem(answer, 400, code === 'MALFORMED_JSON' ? code : 'MALFORMED_ENCODING');
  });

  test.for(ENCODINGS)('half of a %s stream is refused', async encoding => {
    const headers = { 'content-encoding': encoding };
    const body = batchText(
      tenant.writeKey,
      Array.from({ length: 50 }, () => eventText()),
    );
    const whole = compress(encoding, body);
    for (const cut of [1, Math.floor(whole.length / 2), whole.length - 1]) {
      const answer = await post(ingest(), whole.subarray(0, cut), { headers });
      expectProblem(answer, 400, 'MALFORMED_ENCODING');
    }
  });

  test.for(['gzip', 'zstd'] as const)('a damaged %s stream is refused', async encoding => {
    const headers = { 'content-encoding': encoding };
    const whole = compress(encoding, batchText(tenant.writeKey, [eventText()]));
    const damaged = Buffer.from(whole);
    damaged[damaged.length >> 1]! ^= 0xff;
    // A changed body may still decompress, but only to invalid JSON.
    expect((await post(ingest(), damaged, { headers })).status).toBe(400);
  });

  test('bytes after the compressed stream are consistently refused or ignored', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const whole = compress('gzip', batchText(tenant.writeKey, [eventText()]));
    const answer = await post(ingest(), Buffer.concat([whole, Buffer.from('garbage')]), {
      headers,
    });
    expect([200, 400]).toContain(answer.status);
  });

  test('raw deflate is accepted or refused', async () => {
    const headers = { 'content-encoding': 'deflate' };
    const body = compressRawDeflate(batchText(tenant.writeKey, [eventText()]));
    expect([200, 400]).toContain((await post(ingest(), body, { headers })).status);
  });
});

describe.concurrent('writeKey', () => {
  test.for([
    ['absent', undefined],
    ['null', 'null'],
    ['empty', '""'],
  ] as const)('%s is MISSING_WRITE_KEY', async ([, writeKey]) => {
    expectProblem(await envelope({ writeKey }), 400, 'MISSING_WRITE_KEY');
  });

  test.for(['12', 'true', '{}', '[]'])('%s is not a key', async writeKey => {
    const { status } = await envelope({ writeKey });
    expect([400, 401]).toContain(status);
  });

  test('a key in the headers does not replace it', async () => {
    const body = batchText(tenant.writeKey, [eventText()], { writeKey: undefined });
    const headers = {
      'x-service-write-key': tenant.writeKey,
      authorization: `Bearer ${tenant.writeKey}`,
    };
    expectProblem(await post(ingest(), body, { headers }), 400, 'MISSING_WRITE_KEY');
  });
});

describe.concurrent('batch', () => {
  test.for([
    ['absent', undefined],
    ['null', 'null'],
    ['an object', '{}'],
    ['a string', '"[]"'],
    ['a number', '1'],
  ] as const)('%s is INVALID_BATCH', async ([, batch]) => {
    expectProblem(await envelope({ batch }), 400, 'INVALID_BATCH');
  });

  test.for(['[]', '[ ]', '[\n]'])('%j is EMPTY_BATCH', async batch => {
    expectProblem(await envelope({ batch }), 400, 'EMPTY_BATCH');
  });

  test('100 events are accepted, 101 are TOO_MANY_EVENTS', async () => {
    const events = Array.from({ length: EVENTS_MAX }, () => eventText());
    expectAccepted(await postEvents(ingest(), tenant.writeKey, events), EVENTS_MAX);
    const answer = await postEvents(ingest(), tenant.writeKey, [...events, eventText()]);
    expectProblem(answer, 400, 'TOO_MANY_EVENTS');
  });

  test('a hundred thousand small events are TOO_MANY_EVENTS', async () => {
    const events = Array.from({ length: 100_000 }, () => '{}');
    const answer = await postEvents(ingest(), tenant.writeKey, events);
    expectProblem(answer, 400, 'TOO_MANY_EVENTS');
  });
});

describe.concurrent('sentAt', () => {
  test.for([
    undefined,
    'null',
    '""',
    '"yesterday"',
    '"2026-13-01T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"2026-01-01T25:00:00Z"',
    '"2026-01-01T00:61:00Z"',
    '"2026-01-01T00:00:00Q"',
    '"Thu, 01 Jan 2026 00:00:00 GMT"',
    '"1969-12-31T23:59:59.999Z"',
    '"2106-01-01T00:00:00.000Z"',
    '"2026-01-01T00:00:00.000Z "',
    '1767225600000',
    '{}',
    '[]',
    'true',
  ])('%s is INVALID_SENT_AT', async sentAt => {
    expectProblem(await envelope({ sentAt }), 400, 'INVALID_SENT_AT');
  });
});

describe.concurrent('context of the batch', () => {
  const key = (characters: number) => `{"inner":{"${'k'.repeat(characters)}":1}}`;
  const value = (bytes: number) => `{"inner":["${'v'.repeat(bytes)}"]}`;

  test.for([
    ['a string', '"eu"'],
    ['an array', '[]'],
    ['a number', '1'],
    ['a boolean', 'false'],
    ['6 levels of objects', nestedObject(6)],
    ['6 levels of arrays', nestedArrays(6)],
    ['a key of 257 characters', key(257)],
    ['a value of 10,241 bytes', value(10_241)],
  ] as const)('%s is INVALID_CONTEXT', async ([, context]) => {
    expectProblem(await envelope({ context }), 400, 'INVALID_CONTEXT');
  });

  test.for([
    ['5 levels', nestedObject(5)],
    ['a key of 256 characters', key(256)],
    ['a value of 10,240 bytes', value(10_240)],
  ] as const)('%s is within the limits', async ([, context]) => {
    expectAccepted(await envelope({ context }), 1);
  });
});

test('no event of a batch with an invalid envelope is stored', async () => {
  const quiet = await liveTenant(ingest());
  const events = [eventText(), eventText({ type: '"x"' })];
  const tooMany = Array.from({ length: 101 }, () => eventText());
  const refused = [
    await postEvents(ingest(), quiet.writeKey, events, { sentAt: undefined }),
    await postEvents(ingest(), quiet.writeKey, events, { sentAt: '"x"' }),
    await postEvents(ingest(), quiet.writeKey, events, { context: '1' }),
    await postEvents(ingest(), quiet.writeKey, tooMany),
    await post(ingest(), batchText(quiet.writeKey, events).slice(0, -1)),
  ];
  expect(refused.map(answer => answer.status)).toEqual([400, 400, 400, 400, 400]);
  const marker = newMessageId();
  await postEvents(ingest(), quiet.writeKey, [eventOf(marker), eventText({ type: '"marker"' })]);
  await storedEvent(quiet.workspaceId, marker);
  const [only] = await rejectedEvents(quiet.workspaceId, 1);
  expect(only?.body).toContain('"marker"');
  expect(await countEvents(quiet.workspaceId)).toBe(1);
});
