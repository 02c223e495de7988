// A refused report is stored only in rejected_events, complete and with its reason.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventText, nestedArrays, nestedObject } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { cardsOf, deliveriesOf, outboundOf, type PushBody, postPush } from '../harness/push.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rejectedEvents } from '../harness/warehouse.ts';

const ingest = useIngest({ threads: 1 });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const SHOWN = { event_type: 'push.shown', message_id: 'message-1', contact_id: 'contact-1' };
const IDS = ['campaign_id', 'message_id', 'user_id', 'contact_id', 'anonymous_id'];
const STRINGS = [...IDS, 'property_id', 'workspace_id'];

const report = (body: PushBody, of = tenant) => postPush(ingest(), of, { ...SHOWN, ...body });
const reportText = (body: string) => postPush(ingest(), tenant, {}, { body });

/** The body as text, with the tenant's property and this additional member. */
function textWith(member: string): string {
  const { propertyId } = tenant;
  return `{"event_type":"push.shown","platform":"web","property_id":"${propertyId}",${member}}`;
}

describe.concurrent('MISSING_FIELD', () => {
  test.for(['event_type', 'platform', 'property_id'])('%s', async field => {
    for (const value of [undefined, null, '']) {
      const answer = await report({ [field]: value });
      expectProblem(answer, 400, 'MISSING_FIELD');
      expect(answer.json().detail).toContain(field);
    }
  });

  test('an empty object', async () => {
    expectProblem(await reportText('{}'), 400, 'MISSING_FIELD');
  });
});

describe.concurrent('INVALID_FIELD', () => {
  test.for([
    'delivered ',
    'Push.Clicked',
    'shown',
    'subscribed',
    'permission_denied',
    'push.',
    'push.opened',
    'push.push.clicked',
    'clicked\u0000',
    'track',
    '__proto__',
    'constructor',
  ])('event_type %j', async event_type => {
    const answer = await report({ event_type });
    expectProblem(answer, 400, 'INVALID_FIELD');
    expect(answer.json().detail).toContain('push.permission_denied');
  });

  test.for(['WEB', 'windows', 'ios ', 'react-native'])('platform %s', async platform => {
    const answer = await report({ platform });
    expectProblem(answer, 400, 'INVALID_FIELD');
    expect(answer.json().detail).toContain('web, ios, android');
  });

  test.for(['event_type', 'platform', ...STRINGS])('%s of another type', async field => {
    for (const value of [5, 0, true, false, {}, [], ['x']]) {
      const answer = await report({ [field]: value });
      expectProblem(answer, 400, 'INVALID_FIELD');
      expect(answer.json().detail).toContain(field);
    }
  });

  test('metadata that is not an object', async () => {
    for (const metadata of [5, '', '{}', true, false, [], [{}]]) {
      const answer = await report({ metadata });
      expectProblem(answer, 400, 'INVALID_FIELD');
      expect(answer.json().detail).toContain('metadata must be an object');
    }
  });
});

describe.concurrent('strings', () => {
  test.for(IDS)('%s: 512 characters are accepted, one more is FIELD_TOO_LONG', async field => {
    for (const character of ['x', 'ü', '🚀']) {
      expect((await report({ [field]: character.repeat(512) })).status).toBe(200);
      expectProblem(await report({ [field]: character.repeat(513) }), 400, 'FIELD_TOO_LONG');
    }
  });

  test.for(IDS)('%s with NUL or a lone surrogate is INVALID_STRING', async field => {
    for (const value of ['"a\\u0000"', '"\\ud800"', '"\\udc00x"'])
      expectProblem(await reportText(textWith(`"${field}":${value}`)), 400, 'INVALID_STRING');
  });
});

describe.concurrent('limits of metadata', () => {
  const metadata = (text: string) => reportText(textWith(`"metadata":${text}`));

  test('depth', async () => {
    for (const nested of [nestedObject, nestedArrays]) {
      expect((await metadata(nested(5))).status).toBe(200);
      expectProblem(await metadata(nested(6)), 400, 'NESTING_TOO_DEEP');
    }
  });

  test('keys', async () => {
    expect((await metadata(`{"${'k'.repeat(256)}":1}`)).status).toBe(200);
    expectProblem(await metadata(`{"${'k'.repeat(257)}":1}`), 400, 'KEY_TOO_LONG');
  });

  test('values', async () => {
    expect((await metadata(`{"k":"${'v'.repeat(10_240)}"}`)).status).toBe(200);
    expectProblem(await metadata(`{"k":"${'v'.repeat(10_241)}"}`), 400, 'VALUE_TOO_LARGE');
  });
});

describe.concurrent('the body', () => {
  test.for(['', '{', '{"event_type":"push.shown",}', '<x/>'])('MALFORMED_JSON %j', async body => {
    expectProblem(await reportText(body), 400, 'MALFORMED_JSON');
  });

  test.for(['[]', '[{}]', '"x"', '1', 'null'])('INVALID_BODY %s', async body => {
    expectProblem(await reportText(body), 400, 'INVALID_BODY');
  });

  test('an application event', async () => {
    expectProblem(await reportText(eventText()), 400, 'MISSING_FIELD');
  });
});

test('a rejected report is stored in full and has no other effect', async () => {
  const own = await liveTenant(ingest());
  const body = `{ "event_type":"opened", "platform":"web", "property_id":"${own.propertyId}", "message_id":"m-1", "n":1.50 }`;
  expectProblem(await postPush(ingest(), own, {}, { body }), 400, 'INVALID_FIELD');
  const [kept] = await rejectedEvents(own.workspaceId, 1);
  expect(kept).toMatchObject({
    endpoint: '/v1/push/engagement',
    code: 'INVALID_FIELD',
    message: expect.stringContaining('event_type'),
    message_id: 'm-1',
    property_id: own.propertyId,
    sdk_key_id: own.keyId,
    body,
  });
  await untilDrained(ingest());
  expect(await deliveriesOf(own.workspaceId)).toEqual([]);
  expect(await cardsOf(own.workspaceId)).toEqual([]);
  expect(await outboundOf(own.workspaceId)).toEqual([]);
});

describe.concurrent('403 TENANT_MISMATCH', () => {
  test('a property_id of another workspace is reported before other errors', async () => {
    const other = await liveTenant(ingest());
    for (const property_id of [other.propertyId, 'no-uuid', ' ', tenant.propertyId.slice(1)])
      for (const event_type of ['push.shown', 'nonsense'])
        expectProblem(await report({ property_id, event_type }), 403, 'TENANT_MISMATCH');
  });

  test('a valid property in the header does not make that of the body valid', async () => {
    const other = await liveTenant(ingest());
    const headers = { 'x-property-id': tenant.propertyId };
    const body = { ...SHOWN, property_id: other.propertyId };
    expectProblem(await postPush(ingest(), tenant, body, { headers }), 403, 'TENANT_MISMATCH');
  });
});
