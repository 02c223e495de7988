// Invalid events, each tested at the limit at which it becomes invalid.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventOf,
  eventText,
  nestedArrays,
  nestedObject,
  newMessageId,
  type Texts,
} from '../harness/batch.ts';
import {
  expectAccepted,
  expectRejections,
  liveTenant,
  postEvents,
} from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

/** Posts the event between two valid ones and expects only it to be rejected, with this code. */
async function expectRefused(fields: Texts, code: string): Promise<void> {
  const messageId = newMessageId();
  const events = [eventText(), eventOf(messageId, fields), eventText()];
  const answer = await postEvents(ingest(), tenant.writeKey, events);
  const [rejected] = (answer.json().rejected ?? []) as { messageId: string | null }[];
  // A messageId that is itself invalid may be returned or not.
  const told = 'messageId' in fields ? rejected?.messageId : messageId;
  expectRejections(answer, 2, [{ index: 1, messageId: told ?? null, code }]);
}

async function expectStored(fields: Texts): Promise<void> {
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText(fields)]), 1);
}

describe.concurrent('an event', () => {
  test.for(['null', '1', '"event"', '[]', 'true', '[{}]'])('%s is INVALID_EVENT', async event => {
    const answer = await postEvents(ingest(), tenant.writeKey, [event, eventText()]);
    expectRejections(answer, 1, [{ index: 0, messageId: null, code: 'INVALID_EVENT' }]);
  });

  test('without any fields is MISSING_FIELD', async () => {
    const answer = await postEvents(ingest(), tenant.writeKey, ['{}']);
    expectRejections(answer, 0, [{ index: 0, messageId: null, code: 'MISSING_FIELD' }]);
  });
});

describe.concurrent('required fields', () => {
  const required = ['type', 'messageId', 'timestamp', 'anonymousId', 'sessionId', 'event'] as const;

  test.for(required)('%s absent is MISSING_FIELD', field =>
    expectRefused({ [field]: undefined }, 'MISSING_FIELD'),
  );

  test.for(required)('%s null is MISSING_FIELD', field =>
    expectRefused({ [field]: 'null' }, 'MISSING_FIELD'),
  );

  test.for(required)('the message names %s', async field => {
    const event = eventText({ [field]: undefined });
    const answer = await postEvents(ingest(), tenant.writeKey, [event]);
    const [rejected] = answer.json().rejected as { message: string }[];
    expect(rejected?.message).toContain(field);
  });

  test.for(required)('%s empty is MISSING_FIELD', field =>
    expectRefused({ [field]: '""' }, 'MISSING_FIELD'),
  );
});

describe.concurrent('types of fields', () => {
  const strings = ['type', 'event', 'name', 'messageId', 'anonymousId', 'userId', 'sessionId'];
  const wrong = ['1', 'true', '{}', '["a"]'];

  test.for(strings.flatMap(field => wrong.map(text => [field, text] as const)))(
    '%s of %s is INVALID_FIELD',
    ([field, text]) => expectRefused({ [field]: text }, 'INVALID_FIELD'),
  );

  test.for(
    ['properties', 'traits', 'context'].flatMap(field =>
      ['1', '"{}"', '[]', 'false'].map(text => [field, text] as const),
    ),
  )('%s of %s is INVALID_FIELD', ([field, text]) =>
    expectRefused({ [field]: text }, 'INVALID_FIELD'),
  );

  test.for(['"Track"', '"TRACK"', '"track "', '"tracks"', '"batch"', '"__proto__"'])(
    'type %s is UNKNOWN_EVENT_TYPE',
    type => expectRefused({ type }, 'UNKNOWN_EVENT_TYPE'),
  );
});

describe.concurrent('strings', () => {
  const strings = ['event', 'name', 'messageId', 'anonymousId', 'userId', 'sessionId'];

  test.for(strings)('%s of 513 characters is FIELD_TOO_LONG', async field => {
    await expectRefused({ [field]: `"${'x'.repeat(513)}"` }, 'FIELD_TOO_LONG');
    await expectRefused({ [field]: `"${'🚀'.repeat(513)}"` }, 'FIELD_TOO_LONG');
    await expectRefused({ [field]: `"${'\\u0041'.repeat(513)}"` }, 'FIELD_TOO_LONG');
    await expectRefused({ [field]: `"${'x'.repeat(400_000)}"` }, 'FIELD_TOO_LONG');
  });

  test.for(strings)('a lone surrogate in %s is INVALID_STRING', async field => {
    await expectRefused({ [field]: '"a\\ud800b"' }, 'INVALID_STRING');
    await expectRefused({ [field]: '"\\udc00\\ud800"' }, 'INVALID_STRING');
  });

  test.for(strings)('NUL in %s is refused or stored, never changed', async field => {
    const [marker, messageId] = [newMessageId(), `nul\u0000${newMessageId()}`];
    const fields = field === 'messageId' ? {} : { [field]: '"a\\u0000b"' };
    const events = [eventOf(messageId, fields), eventOf(marker)];
    const answer = await postEvents(ingest(), tenant.writeKey, events);
    if (answer.status === 400) {
      expectRejections(answer, 1, [{ index: 0, code: 'INVALID_STRING' }]);
    } else {
      expectAccepted(answer, 2);
      const row = await storedEvent(tenant.workspaceId, messageId);
      if (field !== 'messageId') expect(Object.values(row)).toContain('a\u0000b');
    }
  });
});

describe.concurrent('timestamp', () => {
  test.for([
    '"now"',
    '"2026"',
    '"1767225600"',
    '"01/02/2026"',
    '"2026-1-2T3:4:5Z"',
    '"2026-00-01T00:00:00Z"',
    '"2026-13-01T00:00:00Z"',
    '"2026-01-00T00:00:00Z"',
    '"2026-01-32T00:00:00Z"',
    '"2026-02-29T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"2026-04-31T00:00:00Z"',
    '"2026-01-01T25:00:00Z"',
    '"2026-01-01T00:60:00Z"',
    '"2026-01-01T00:00:61Z"',
    '"2026-01-01T00:00:00.Z"',
    '"2026-01-01T00:00:00+25:00"',
    '"2026-01-01T00:00:00+05:75"',
    '"2026-01-01T00:00:00 Europe/Berlin"',
    '"2026-01-01T00:00:00.000Zjunk"',
    '" 2026-01-01T00:00:00.000Z"',
    '"+002026-01-01T00:00:00.000Z"',
    '"-2026-01-01T00:00:00.000Z"',
    '"0000-01-01T00:00:00.000Z"',
    '"1969-12-31T23:59:59.999Z"',
    // JavaScript's Date reads a two-digit year as one of the 20th century.
    '"0099-01-01T00:00:00.000Z"',
    '"2106-01-01T00:00:00.000Z"',
    '"9999-12-31T23:59:59.999Z"',
    '"Thu, 01 Jan 2026 00:00:00 GMT"',
    '"２０２６-01-01T00:00:00.000Z"',
  ])('%s is INVALID_TIMESTAMP', timestamp => expectRefused({ timestamp }, 'INVALID_TIMESTAMP'));

  test.for(['1767225600000', '1.5', 'true', '{}', '[]'])('%s is refused', async timestamp => {
    const answer = await postEvents(ingest(), tenant.writeKey, [eventText({ timestamp })]);
    const [rejected] = answer.json().rejected as { code: string }[];
    expect(['INVALID_FIELD', 'INVALID_TIMESTAMP']).toContain(rejected?.code);
  });
});

describe.concurrent('limits of objects', () => {
  const objects = ['properties', 'traits', 'context'] as const;
  const inner = (key: string) => `{"a":[{"${key}":1}]}`;

  test.for(objects)('%s with 6 levels is NESTING_TOO_DEEP', async field => {
    await expectStored({ [field]: nestedObject(5) });
    await expectRefused({ [field]: nestedObject(6) }, 'NESTING_TOO_DEEP');
    await expectStored({ [field]: nestedArrays(5) });
    await expectRefused({ [field]: nestedArrays(6) }, 'NESTING_TOO_DEEP');
    await expectRefused({ [field]: '{"a":[{"b":[{"c":[]}]}]}' }, 'NESTING_TOO_DEEP');
  });

  test.for(objects)('100,000 arrays in %s are NESTING_TOO_DEEP', field =>
    expectRefused({ [field]: nestedArrays(100_000) }, 'NESTING_TOO_DEEP'),
  );

  test.for(objects)('50,000 objects in %s are NESTING_TOO_DEEP', field =>
    expectRefused(
      { [field]: `${`{"":`.repeat(49_999)}{}${'}'.repeat(49_999)}` },
      'NESTING_TOO_DEEP',
    ),
  );

  test.for(objects)('%s with a key of 257 characters is KEY_TOO_LONG', async field => {
    await expectStored({ [field]: inner('k'.repeat(256)) });
    await expectRefused({ [field]: inner('k'.repeat(257)) }, 'KEY_TOO_LONG');
    await expectStored({ [field]: inner('🔑'.repeat(256)) });
    await expectRefused({ [field]: inner('🔑'.repeat(257)) }, 'KEY_TOO_LONG');
    await expectStored({ [field]: inner('\\u00e9'.repeat(256)) });
    await expectRefused({ [field]: inner('\\u00e9'.repeat(257)) }, 'KEY_TOO_LONG');
    await expectRefused({ [field]: `{"${'k'.repeat(257)}":null}` }, 'KEY_TOO_LONG');
  });

  test.for(objects)('%s with a value of 10,241 bytes is VALUE_TOO_LARGE', async field => {
    await expectRefused({ [field]: `{"v":"${'v'.repeat(10_241)}"}` }, 'VALUE_TOO_LARGE');
    await expectRefused({ [field]: `{"v":["${'é'.repeat(5_120)}x"]}` }, 'VALUE_TOO_LARGE');
    await expectRefused({ [field]: `{"v":"${'\\u00e9'.repeat(5_120)}x"}` }, 'VALUE_TOO_LARGE');
    await expectRefused({ [field]: `{"v":"${'\\n'.repeat(10_241)}"}` }, 'VALUE_TOO_LARGE');
    await expectRefused(
      { [field]: `{"a":{"v":"x${'\\ud83d\\ude80'.repeat(2_560)}"}}` },
      'VALUE_TOO_LARGE',
    );
  });

  test('the limit also applies to numbers', async () => {
    await expectStored({ properties: `{"v":${'9'.repeat(10_240)}}` });
    await expectRefused({ properties: `{"v":${'9'.repeat(10_241)}}` }, 'VALUE_TOO_LARGE');
  });

  test('fields without their own limits accept any depth, or return a clear error', async () => {
    const [messageId, custom] = [newMessageId(), '['.repeat(100_000) + ']'.repeat(100_000)];
    const answer = await postEvents(ingest(), tenant.writeKey, [eventOf(messageId, { custom })]);
    if (answer.status === 200) {
      const row = await storedEvent(tenant.workspaceId, messageId);
      expect(row.extra === `{"custom":${custom}}`).toBe(true);
    } else {
      expectRejections(answer, 0, [{ index: 0, messageId, code: 'NESTING_TOO_DEEP' }]);
    }
  });
});
