// The cases of JSONTestSuite for both parsers of bodies and over HTTP: accepted values are stored
// as sent, and one invalid event does not reject its batch.

import { beforeAll, describe, expect, test } from 'vitest';
import { parseBatch } from '../../ingest/accept/parse-batch.ts';
import { parseObject } from '../../ingest/accept/parse-object.ts';
import { batchText, EVENTS_MAX, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  expectRejections,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent, storedEvents } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { rejectedEvents } from '../harness/warehouse.ts';
import { ACCEPTED, ACCEPTED_HERE, type Case } from './json-accepted.ts';
import { REFUSED, REFUSED_HERE } from './json-refused.ts';

const VALID = [...ACCEPTED, ...ACCEPTED_HERE];
const INVALID = [...REFUSED, ...REFUSED_HERE];

/** The positions of a value in a batch; `#` is the placeholder. */
const PLACES = [
  batchText('k', [eventText({ properties: '{"v":#}' })]),
  batchText('k', [eventText({ custom: '#' })]),
  batchText('k', [eventText()], { context: '{"v":#}' }),
  batchText('k', [eventText()], { custom: '#' }),
];

function at(place: string, value: Buffer): Buffer {
  const [before, after] = place.split('#') as [string, string];
  return Buffer.concat([Buffer.from(before), value, Buffer.from(after)]);
}

const utf8 = ([, text]: Case) => Buffer.from(text);
const bytes = ([, text]: Case) => Buffer.from(text, 'latin1');

describe('is read', () => {
  test.for(VALID)('%s', value => {
    for (const place of PLACES)
      expect(parseBatch(at(place, utf8(value)))).not.toHaveProperty('code');
    const object = parseObject(at('{"v":#}', utf8(value)));
    if ('code' in object) throw new Error(object.message);
    expect(object.text('v')).toBe(value[1].trim());
  });
});

describe('is not JSON', () => {
  test.for(INVALID)('%s', value => {
    for (const place of [...PLACES, '#'])
      expect(parseBatch(at(place, bytes(value)))).toMatchObject({ code: 'MALFORMED_JSON' });
    for (const place of ['{"v":#}', '#'])
      expect(parseObject(at(place, bytes(value)))).toMatchObject({ code: 'MALFORMED_JSON' });
  });
});

describe('over HTTP', () => {
  const ingest = useSharedIngest();
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await liveTenant(ingest());
  });

  test('accepted values are stored as sent', async () => {
    for (let start = 0; start < VALID.length; start += EVENTS_MAX) {
      const cases = VALID.slice(start, start + EVENTS_MAX);
      const ids = cases.map(newMessageId);
      const events = cases.map(([, text], i) =>
        eventOf(ids[i]!, { properties: `{"v":${text}}`, custom: text }),
      );
      expectAccepted(await postEvents(ingest(), tenant.writeKey, events), cases.length);
      for (const [i, row] of (await storedEvents(tenant.workspaceId, ids)).entries()) {
        const [name, text] = cases[i]!;
        expect(row.properties, name).toBe(`{"v":${text}}`);
        expect(row.extra, name).toBe(`{"custom":${text.trimEnd()}}`);
      }
    }
  });

  test('refused bodies are refused as a whole', async () => {
    const place = batchText(tenant.writeKey, [eventText(), eventText({ properties: '{"v":#}' })]);
    for (const value of INVALID)
      expectProblem(await post(ingest(), at(place, bytes(value))), 400, 'MALFORMED_JSON');
  });

  test('100,000 nested arrays reject only their own event, and are stored completely', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const [good, bad, odd] = Array.from({ length: 3 }, newMessageId) as [string, string, string];
    const badEvent = eventOf(bad, { properties: `{"v":${deep}}` });
    const answer = await postEvents(ingest(), tenant.writeKey, [eventOf(good), badEvent]);
    expectRejections(answer, 1, [{ index: 1, messageId: bad, code: 'NESTING_TOO_DEEP' }]);
    await storedEvent(tenant.workspaceId, good);
    const [kept] = await rejectedEvents(tenant.workspaceId, 1);
    expect(kept!.body === badEvent).toBe(true);
    // Fields without a limit may be nested to any depth.
    const oddEvent = eventOf(odd, { custom: deep });
    expectAccepted(await postEvents(ingest(), tenant.writeKey, [oddEvent]), 1);
    const row = await storedEvent(tenant.workspaceId, odd);
    expect(row.extra === `{"custom":${deep}}`).toBe(true);
  });
});
