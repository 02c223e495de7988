import { describe, expect, test } from 'vitest';
import { eventText } from '../harness/batch.ts';
import { expectProblem, liveTenant, postEvents, untilKnown } from '../harness/batch-client.ts';
import type { Answer } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import {
  named,
  SDK_ENDPOINTS,
  type SdkEndpoint,
  sendKeyless,
  sendValid,
} from '../harness/sdk-endpoints.ts';
import { createSibling, type Tenant } from '../harness/tenant.ts';
import { withinOneWindow } from '../harness/within-one-window.ts';

const ingest = useSharedIngest();

async function sendOne(endpoint: SdkEndpoint, tenant: Tenant, headers = {}): Promise<Answer> {
  return sendValid(ingest(), endpoint, tenant, await endpoint.valid(tenant), { headers });
}

function expectPassed(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}

function expectLimited(answer: Answer, secondsMax: number): void {
  expectProblem(answer, 429, 'RATE_LIMITED');
  const { 'retry-after': retryAfter, 'x-service-rate-reset': reset } = answer.headers;
  expect(retryAfter).toMatch(/^\d+$/);
  expect(reset).toBe(retryAfter);
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  expect(Number(retryAfter)).toBeLessThanOrEqual(secondsMax);
}

describe.concurrent.for(named(SDK_ENDPOINTS))('RATE_LIMITED: $name', endpoint => {
  test('a cap per minute counts requests', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 2 });
      for (let i = 0; i < 2; i++) expectPassed(await sendOne(endpoint, tenant));
      expectLimited(await sendOne(endpoint, tenant), 60);
    }));

  test('a cap per hour also counts requests', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { hourCap: 1 });
      expectPassed(await sendOne(endpoint, tenant));
      expectLimited(await sendOne(endpoint, tenant), 3600);
    }));

  test('the limit of a tenant applies across its workspaces', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { eventsPerMinute: 2 });
      const sibling = await createSibling(tenant);
      await untilKnown(ingest(), sibling.writeKey);
      expectPassed(await sendOne(endpoint, tenant));
      expectPassed(await sendOne(endpoint, sibling));
      for (const each of [tenant, sibling]) expectLimited(await sendOne(endpoint, each), 60);
    }));

  test('is exact across all threads', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 10 });
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => sendOne(endpoint, tenant)),
      );
      const statuses = answers.map(answer => answer.status);
      expect(statuses.filter(status => status === 200)).toHaveLength(10);
      expect(statuses.filter(status => status === 429)).toHaveLength(20);
    }));

  test('does not count requests refused for other reasons', () =>
    withinOneWindow(async () => {
      const origin = 'https://shop.example.com';
      const tenant = await liveTenant(ingest(), { minuteCap: 1, origins: [origin] });
      const request = await endpoint.valid(tenant);
      const refused = [
        await sendKeyless(ingest(), endpoint, request),
        await sendOne(endpoint, tenant, { origin: 'https://evil.example.com' }),
        await sendOne(endpoint, tenant, { 'x-property-id': 'another' }),
      ];
      expect(refused.map(answer => answer.status)).toEqual([401, 403, 403]);
      expectPassed(await sendOne(endpoint, tenant, { origin }));
    }));

  test('pages may read the response and its headers', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 1 });
      const origin = 'https://shop.example.com';
      expectPassed(await sendOne(endpoint, tenant, { origin }));
      const answer = await sendOne(endpoint, tenant, { origin });
      expectLimited(answer, 60);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-expose-headers']).toMatch(
        /retry-after.*x-service-rate-reset/i,
      );
    }));
});

test('all endpoints and /v1/batch share the cap', () =>
  withinOneWindow(async () => {
    const tenant = await liveTenant(ingest(), { minuteCap: SDK_ENDPOINTS.length + 1 });
    expect((await postEvents(ingest(), tenant.writeKey, [eventText()])).status).toBe(200);
    for (const endpoint of SDK_ENDPOINTS) expectPassed(await sendOne(endpoint, tenant));
    for (const endpoint of SDK_ENDPOINTS) expectLimited(await sendOne(endpoint, tenant), 60);
    expectLimited(await postEvents(ingest(), tenant.writeKey, [eventText()]), 60);
  }));
