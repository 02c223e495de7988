// The requests of PostHog's clients, against a real ingest: the accepted forms of a body, the requests of the
// client when it starts, and the refused requests.

import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  POSTHOG_CONFIG_PATH,
  POSTHOG_EVENT_PATHS,
  POSTHOG_FLAGS_PATHS,
} from '../../../ingest/compatible/paths.ts';
import { BODY_BYTES_MAX } from '../../../ingest/limits.ts';
import { newMessageId } from '../../harness/batch.ts';
import { JSON_TYPE, liveTenant } from '../../harness/batch-client.ts';
import { type Answer, compress, send } from '../../harness/http.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { storedEvent } from '../../harness/stored-events.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { rejectedEvents } from '../../harness/warehouse.ts';

const FORM = 'application/x-www-form-urlencoded';
const ORIGIN = 'https://shop.example.com';

const ingest = useSharedIngest();
let tenant: Tenant;
let contract: Tenant;
beforeAll(async () => {
  [tenant, contract] = await Promise.all([
    liveTenant(ingest(), { accepts: 'COMPATIBLE', origins: [ORIGIN] }),
    liveTenant(ingest()),
  ]);
});

type Body = string | Uint8Array;

function sendTo(path: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${ingest().url}${path}`, { body, headers: { ...JSON_TYPE, ...headers } });
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${ingest().url}${path}`, { method: 'GET', headers });
}

function bodyOf(api_key: string, uuid: string): string {
  return JSON.stringify({ api_key, batch: [{ event: 'größe', distinct_id: 'u', uuid }] });
}

function expectForeignProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  const { detail, ...others } = answer.json();
  expect(others).toMatchObject({ code, message: detail });
}

describe.concurrent('an event is stored', () => {
  test.for(POSTHOG_EVENT_PATHS)('that is sent to %s, with or without a slash', async path => {
    for (const slash of ['', '/']) {
      const uuid = newMessageId();
      const answer = await sendTo(`${path}${slash}?ip=0&_=1`, bodyOf(tenant.writeKey, uuid));
      expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS","accepted":1}']);
      expect(await storedEvent(tenant.workspaceId, uuid)).toMatchObject({
        type: 'track',
        event: 'größe',
        user_id: 'u',
      });
    }
  });

  const forms: readonly [string, (json: string) => Body, Record<string, string>][] = [
    ['gzip that no header names', json => compress('gzip', json), { 'content-type': 'text/plain' }],
    ['gzip', json => compress('gzip', json), { 'content-encoding': 'gzip' }],
    [
      'base64 in a form',
      json => `data=${encodeURIComponent(Buffer.from(json).toString('base64'))}&compression=base64`,
      { 'content-type': FORM },
    ],
    [
      'base64 in a form that was not escaped',
      json => `data=${Buffer.from(json).toString('base64')}`,
      { 'content-type': FORM },
    ],
    [
      'JSON in a form',
      json => `data=${encodeURIComponent(json)}`,
      { 'content-type': `${FORM}; charset=UTF-8` },
    ],
    ['JSON', json => json, {}],
  ];
  test.for(forms)('%s', async ([, encode, headers]) => {
    const [uuid, other] = [newMessageId(), newMessageId()];
    const { writeKey, workspaceId } = tenant;
    const event = (id: string) => {
      return { event: 'größe?~', properties: { distinct_id: 'u', token: writeKey }, uuid: id };
    };
    for (const body of [[event(uuid)], event(other)])
      expect((await sendTo('/e/', encode(JSON.stringify(body)), headers)).status).toBe(200);
    for (const id of [uuid, other])
      expect((await storedEvent(workspaceId, id)).event).toBe('größe?~');
  });
});

describe.concurrent('a body is refused', () => {
  const bomb = () => compress('gzip', Buffer.alloc(BODY_BYTES_MAX + 1, '['));
  test.for<[string, () => Body, Record<string, string>, number, string]>([
    ['not JSON', () => '{"batch":', {}, 400, 'MALFORMED_JSON'],
    ['empty', () => '', {}, 400, 'MALFORMED_JSON'],
    ['an empty form', () => 'data=', { 'content-type': FORM }, 400, 'MALFORMED_JSON'],
    ['not base64', () => 'data=%ff%00', { 'content-type': FORM }, 400, 'MALFORMED_JSON'],
    ['deep', () => '['.repeat(100_000), {}, 400, 'MALFORMED_JSON'],
    ['a text', () => '"a"', {}, 400, 'INVALID_BODY'],
    ['damaged gzip', () => Buffer.from([0x1f, 0x8b, 8, 0]), {}, 400, 'MALFORMED_ENCODING'],
    ['a bomb', bomb, {}, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a bomb in a bomb',
      () => compress('gzip', bomb()),
      { 'content-encoding': 'gzip' },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'an array that fills the limit',
      () => `[${' '.repeat(BODY_BYTES_MAX - 2)}]`,
      {},
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['of another type', () => '{}', { 'content-type': 'text/html' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['without a key', () => '[{}]', {}, 401, 'INVALID_WRITE_KEY'],
  ])('%s', async ([, body, headers, status, code]) => {
    for (const path of ['/e/', '/flags/'])
      expectForeignProblem(await sendTo(path, body(), headers), status, code);
  });

  test.for([
    ['{"batch":{}}', 'INVALID_BATCH'],
    ['{"batch":[]}', 'EMPTY_BATCH'],
    ['{"batch":[{}],"sent_at":"soon"}', 'INVALID_SENT_AT'],
    [`{"batch":[${'0,'.repeat(1_000)}0]}`, 'TOO_MANY_EVENTS'],
  ] as const)('%s', async ([body, code]) => {
    const headers = { 'x-service-write-key': tenant.writeKey };
    expectForeignProblem(await sendTo('/batch/', body, headers), 400, code);
  });

  test('with arrays in arrays', async () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const headers = { 'x-service-write-key': tenant.writeKey };
    expectForeignProblem(await sendTo('/e/', body, headers), 400, 'EVENTS_REJECTED');
  });

  test('in part: an event is nested too deeply', async () => {
    const own = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
    const deep = `{"event":"$exception","distinct_id":"u","properties":${'{"a":'.repeat(6)}1${'}'.repeat(6)}}`;
    const body = `{"token":"${own.writeKey}","batch":[${deep},7,{"event":"e","distinct_id":"u"}]}`;
    const answer = await sendTo('/batch/', body);
    expectForeignProblem(answer, 400, 'EVENTS_REJECTED');
    expect(answer.json()).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 0, code: 'NESTING_TOO_DEEP' },
        { index: 1, code: 'INVALID_EVENT' },
      ],
    });
    await rejectedEvents(own.workspaceId, 2);
  });
});

describe.concurrent('at its start, the client', () => {
  const configPath = (key: string) => POSTHOG_CONFIG_PATH.replace('{write_key}', key);

  test('gets a configuration in which unsupported features are off', async () => {
    const answer = await ask(configPath(tenant.writeKey), { origin: ORIGIN });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(answer.json()).toMatchObject({
      token: tenant.writeKey,
      supportedCompression: ['gzip', 'gzip-js'],
      hasFeatureFlags: false,
      sessionRecording: false,
      heatmaps: false,
    });
    expect(answer.json()).not.toHaveProperty('surveys');
    const script = await ask(`${configPath(tenant.writeKey)}.js`);
    expect(script.headers['content-type']).toMatch('text/javascript');
    const page: Record<string, unknown> = {};
    runInNewContext(script.text, { window: page });
    expect(page).toEqual({
      _POSTHOG_REMOTE_CONFIG: { [tenant.writeKey]: { config: answer.json(), siteApps: [] } },
    });
  });

  test.for(POSTHOG_FLAGS_PATHS)('gets no flags from %s', async path => {
    for (const body of [`{"token":"${tenant.writeKey}"}`, `{"api_key":"${tenant.writeKey}"}`]) {
      const answer = await sendTo(`${path}/?v=2`, compress('gzip', body), { origin: ORIGIN });
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(answer.json()).toMatchObject({
        flags: {},
        featureFlags: {},
        errorsWhileComputingFlags: false,
      });
    }
  });

  const requests: readonly [string, (key: string, headers: Record<string, string>) => unknown][] = [
    ['events', (key, headers) => sendTo('/e/', bodyOf(key, newMessageId()), headers)],
    ['flags', (key, headers) => sendTo('/flags/', `{"token":"${key}"}`, headers)],
    ['configuration', (key, headers) => ask(configPath(key), headers)],
    ['script', (key, headers) => ask(`${configPath(key)}.js`, headers)],
  ];
  test.for(requests)(
    'may send requests only with a key that accepts it: %s',
    async ([, request]) => {
      const answerTo = async (key: string, headers = {}) => (await request(key, headers)) as Answer;
      expectForeignProblem(await answerTo(contract.writeKey), 403, 'CONTRACT_ONLY');
      expectForeignProblem(await answerTo('wk_unknown'), 401, 'INVALID_WRITE_KEY');
      const foreign = await answerTo(tenant.writeKey, { origin: 'https://other.example.com' });
      expectForeignProblem(foreign, 403, 'ORIGIN_NOT_ALLOWED');
      expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});
