// The settings that other vendors' browser clients request at startup.

import { beforeAll, describe, expect, test } from 'vitest';
import { SOURCE_CONFIG_PATHS } from '../../../ingest/compatible/paths.ts';
import { liveTenant } from '../../harness/batch-client.ts';
import { type Answer, send } from '../../harness/http.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import type { Tenant } from '../../harness/tenant.ts';

const ORIGIN = 'https://shop.example.com';
const HTTP_ORIGIN = 'http://127.0.0.1:3000';
const ingest = useSharedIngest();
let tenant: Tenant;
let contract: Tenant;
beforeAll(async () => {
  [tenant, contract] = await Promise.all([
    liveTenant(ingest(), { accepts: 'COMPATIBLE', origins: [ORIGIN, HTTP_ORIGIN] }),
    liveTenant(ingest()),
  ]);
});

function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${ingest().url}${path}`, { method: 'GET', headers });
}

function basic(writeKey: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` };
}

describe.concurrent('Segment', () => {
  const settings = (writeKey: string, headers: Record<string, string> = {}) =>
    ask(`/v1/projects/${writeKey}/settings`, headers);

  test('the settings name this address and no other', async () => {
    const answer = await settings(tenant.writeKey, { host: 'events.example.com', origin: ORIGIN });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { integrations, metrics } = answer.json();
    expect(integrations).toEqual({
      'Segment.io': expect.objectContaining({
        apiKey: tenant.writeKey,
        apiHost: 'events.example.com/v1',
        protocol: 'https',
      }),
    });
    expect(metrics).toEqual({ sampleRate: 0 });
  });

  test.for<[Record<string, string>, string]>([
    [{}, 'https'],
    [{ origin: ORIGIN }, 'https'],
    [{ origin: HTTP_ORIGIN }, 'http'],
    [{ origin: HTTP_ORIGIN, 'x-forwarded-proto': 'https' }, 'https'],
    [{ 'x-forwarded-proto': 'http' }, 'http'],
    [{ 'x-forwarded-proto': 'https' }, 'https'],
  ])('the protocol with %j is %s', async ([headers, protocol]) => {
    const { integrations } = (await settings(tenant.writeKey, headers)).json();
    expect(integrations).toMatchObject({ 'Segment.io': { protocol } });
  });
});

describe.concurrent('RudderStack', () => {
  test.for(SOURCE_CONFIG_PATHS)('%s', async path => {
    const byQuery = await ask(`${path}?p=npm&writeKey=${tenant.writeKey}&v=3`);
    const byHeader = await ask(path, basic(tenant.writeKey));
    expect([byQuery.status, byHeader.status]).toEqual([200, 200]);
    expect(byHeader.json()).toEqual(byQuery.json());
    expect(byQuery.json()).toMatchObject({
      source: {
        id: tenant.keyId,
        writeKey: tenant.writeKey,
        enabled: true,
        config: { statsCollection: { errors: { enabled: false } } },
        destinations: [],
      },
    });
  });
});

describe.concurrent('access', () => {
  const paths: readonly [string, (key: string) => string][] = [
    ['Segment', key => `/v1/projects/${key}/settings`],
    ['RudderStack', key => `/sourceConfig/?writeKey=${key}`],
  ];
  test.for(paths)('%s: keys that accept it', async ([, pathOf]) => {
    const refused = await ask(pathOf(contract.writeKey));
    expect([refused.status, refused.json().code]).toEqual([403, 'CONTRACT_ONLY']);
    const unknown = await ask(pathOf('wk_unknown'));
    expect([unknown.status, unknown.json().code]).toEqual([401, 'INVALID_WRITE_KEY']);
    const { detail, message } = unknown.json();
    expect(message).toBe(detail);
  });

  test.for(paths)('%s: pages of the allowed origins', async ([, pathOf]) => {
    const answer = await ask(pathOf(tenant.writeKey), { origin: 'https://other.example.com' });
    expect([answer.status, answer.json().code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
