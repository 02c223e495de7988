import { beforeAll, describe, expect, test } from 'vitest';
import { eventText, nestedArrays, nestedObject } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import {
  expectSuccess,
  type Fields,
  IN_APP_EVENTS,
  postJson,
  reportOf,
  storedExposures,
  storedRows,
} from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rejectedEvents } from '../harness/warehouse.ts';

// A single thread writes one log, so when a later report is readable, all earlier ones are too.
const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const report = (body: Fields | string, of = tenant) => postJson(ingest(), of, IN_APP_EVENTS, body);

describe.concurrent('MISSING_FIELD', () => {
  test.for(['campaign_id', 'event_type', 'user_id'])('%s', async field => {
    for (const value of [undefined, null, '']) {
      const answer = await report(reportOf({ [field]: value }));
      expectProblem(answer, 400, 'MISSING_FIELD');
      expect(answer.json().detail).toContain(field);
    }
  });

  test('an empty object', async () => {
    expectProblem(await report({}), 400, 'MISSING_FIELD');
  });
});

const STRINGS = [
  'campaign_id',
  'user_id',
  'anonymous_id',
  'platform',
  'workspace_id',
  'property_id',
  'idempotency_key',
  'variant_id',
  'journey_step_execution_id',
  'step_id',
];

describe.concurrent('INVALID_FIELD', () => {
  test.for([...STRINGS, 'event_type'])('%s of another type', async field => {
    for (const value of [5, 0, true, false, {}, [], ['x']]) {
      const answer = await report(reportOf({ [field]: value }));
      expectProblem(answer, 400, 'INVALID_FIELD');
      expect(answer.json().detail).toContain(field);
    }
  });
});

describe.concurrent('strings', () => {
  test.for(STRINGS.filter(field => !field.endsWith('space_id') && field !== 'property_id'))(
    '%s is too long, has a NUL or a lone surrogate',
    async field => {
      const long = await report(reportOf({ [field]: 'é'.repeat(513) }));
      expectProblem(long, 400, 'FIELD_TOO_LONG');
      expect(long.json().detail).toContain(field);
      for (const value of ['a\u0000b', 'a\ud800b']) {
        const answer = await report(reportOf({ [field]: value }));
        expectProblem(answer, 400, 'INVALID_STRING');
        expect(answer.json().detail).toContain(field);
      }
    },
  );
});

describe.concurrent('NOT_IN_APP_FEEDBACK', () => {
  const applicationEvents = [
    ['an event as in a batch', () => eventText()],
    ['an event with a campaign', () => eventText({ campaign_id: '"c"', user_id: '"u"' })],
    ['an identify', () => '{"type":"identify","userId":"u","traits":{}}'],
    ['a batch', () => `{"batch":[${eventText()}],"sentAt":"2026-01-01T00:00:00Z"}`],
    ['a report with an event name', () => JSON.stringify(reportOf({ event: 'Order Completed' }))],
    ['a report of type page', () => JSON.stringify(reportOf({ type: 'page' }))],
    ['an event deeper than reports may be', () => eventText({ properties: nestedObject(9) })],
  ] as const;

  test.for(applicationEvents)('%s', async ([, body]) => {
    const answer = await report(body());
    expectProblem(answer, 400, 'NOT_IN_APP_FEEDBACK');
    expect(answer.json().detail).toContain('/v1/batch');
  });

  test.for(['track', 'Impression', 'impression ', 'served', 'push.clicked', 'toString'])(
    'event_type %s',
    async event_type => {
      const answer = await report(reportOf({ event_type }));
      expectProblem(answer, 400, 'NOT_IN_APP_FEEDBACK');
      expect(answer.json().detail).toMatch(/impression, clicked, dismissed.*\/v1\/batch/);
    },
  );

  test('the type of another object is not treated as an application event', async () => {
    const quiet = await liveTenant(ingest());
    expectSuccess(await report(reportOf({ type: 'banner', event: null }), quiet));
    const [row] = await storedRows('in_app_events', quiet.workspaceId, 1);
    expect(row?.extra).toBe('{"type":"banner","event":null}');
  });
});

describe.concurrent('limits', () => {
  test.for([
    ['NESTING_TOO_DEEP', `{"x":${nestedObject(6)}`],
    ['NESTING_TOO_DEEP', `{"x":${nestedArrays(6)}`],
    ['KEY_TOO_LONG', `{"x":{"${'k'.repeat(257)}":1}`],
    ['VALUE_TOO_LARGE', `{"x":"${'v'.repeat(10_241)}"`],
  ] as const)('%s', async ([code, start]) => {
    const body = `${start},${JSON.stringify(reportOf()).slice(1)}`;
    expectProblem(await report(body), 400, code);
  });
});

describe.concurrent('bodies', () => {
  test.for([
    ['MALFORMED_JSON', ''],
    ['MALFORMED_JSON', '{'],
    ['MALFORMED_JSON', '{"campaign_id":}'],
    ['MALFORMED_JSON', `${JSON.stringify(reportOf())}x`],
    ['MALFORMED_JSON', `[${JSON.stringify(reportOf())}`],
    ['INVALID_BODY', `[${JSON.stringify(reportOf())}]`],
    ['INVALID_BODY', '"impression"'],
    ['INVALID_BODY', 'null'],
  ] as const)('%s: %s', async ([code, body]) => {
    expectProblem(await report(body), 400, code);
  });

  test('bytes that are no UTF-8', async () => {
    const [start, end] = JSON.stringify(reportOf({ user_id: '|' })).split('|');
    const body = Buffer.concat([Buffer.from(start!), Buffer.from([0xff]), Buffer.from(end!)]);
    const answer = await postJson(ingest(), tenant, IN_APP_EVENTS, '', { body });
    expectProblem(answer, 400, 'MALFORMED_JSON');
  });
});

test('a rejected report is stored in full with its reason and does not count', async () => {
  const quiet = await liveTenant(ingest());
  const bodies = [
    ['MISSING_FIELD', `{ "campaign_id" : "c", "user_id":"u", "idempotency_key":"key-1" }`],
    ['NOT_IN_APP_FEEDBACK', eventText()],
    ['NESTING_TOO_DEEP', JSON.stringify(reportOf({ x: [[[[[[]]]]]] }))],
  ] as const;
  for (const [code, body] of bodies) expectProblem(await report(body, quiet), 400, code);
  expectSuccess(await report(reportOf({ user_id: 'last' }), quiet));
  await storedRows('in_app_events', quiet.workspaceId, 1);
  const [exposure] = await storedExposures(quiet.workspaceId, 1);
  expect(exposure?.user_id).toBe('last');
  const kept = await rejectedEvents(quiet.workspaceId, bodies.length);
  expect(new Set(kept.map(row => `${row.code} ${row.body}`))).toEqual(
    new Set(bodies.map(([code, body]) => `${code} ${body}`)),
  );
  const missing = kept.find(row => row.code === 'MISSING_FIELD');
  expect(missing).toMatchObject({ endpoint: IN_APP_EVENTS, message_id: 'key-1' });
  expect(missing?.message).toContain('event_type');
});
