// Monitoring of ingest: /healthz, /readyz, /metrics and its log.

import { describe, expect, test } from 'vitest';
import { readBuildInfo } from '../../schema/environment/build-info.ts';
import { eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { liveTenant, post, postEvents } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { metrics, type Sample, sumOf, untilMetrics } from '../harness/metrics.ts';
import { storedEvents } from '../harness/stored-events.ts';

const ingest = useIngest();

const REQUESTS = /^ingest_.*requests?_total$/;
const ACCEPTED = /^ingest_.*accepted.*_total$/;
const REJECTED = /^ingest_.*rejected.*_total$/;
const DUPLICATES = /^ingest_.*duplicate.*_total$/;

describe('probes', () => {
  test.for(['/healthz', '/readyz'])('%s is 200 for GET and HEAD', async path => {
    expect((await send(`${ingest().url}${path}`, { method: 'GET' })).status).toBe(200);
    expect((await send(`${ingest().url}${path}`, { method: 'HEAD' })).status).toBe(200);
  });
});

test('reports the running release', async () => {
  const build = readBuildInfo(process.env);
  const health = await send(`${ingest().url}/healthz`, { method: 'GET' });
  expect(health.json()).toEqual({ status: 'alive', ...build });
  const told = (await metrics(ingest())).filter(({ name }) => name === 'service_build_info');
  expect(told).toEqual([{ name: 'service_build_info', labels: build, value: 1 }]);
});

describe('/metrics', () => {
  test('is in the text format of Prometheus', async () => {
    const answer = await send(`${ingest().url}/metrics`, { method: 'GET' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    const samples = await metrics(ingest());
    expect(samples.length).toBeGreaterThan(10);
    const families = new Set(answer.text.match(/^# TYPE \S+/gm)?.map(line => line.slice(7)));
    const described = new Set(answer.text.match(/^# HELP \S+/gm)?.map(line => line.slice(7)));
    expect(described).toEqual(families);
  });

  test('counts requests by status, and events accepted, rejected by code and repeated', async () => {
    const tenant = await liveTenant(ingest());
    const ids = [newMessageId(), newMessageId(), newMessageId()];
    const before = await metrics(ingest());
    await postEvents(
      ingest(),
      tenant.writeKey,
      ids.map(id => eventOf(id)),
    );
    await postEvents(
      ingest(),
      tenant.writeKey,
      ids.map(id => eventOf(id)),
    );
    const refused = eventText({ type: '"x"' });
    await postEvents(ingest(), tenant.writeKey, [eventText(), refused, refused]);
    await postEvents(ingest(), 'wk_unknown_unknown_unknown', [eventText()]);
    await post(ingest(), '{');
    await storedEvents(tenant.workspaceId, ids);

    await untilMetrics(ingest(), now => {
      const grown = (name: RegExp, labels = {}) =>
        sumOf(now, name, labels) - sumOf(before, name, labels);
      expect(grown(REQUESTS, { status: '200' })).toBeGreaterThanOrEqual(2);
      expect(grown(REQUESTS, { status: '400' })).toBeGreaterThanOrEqual(2);
      expect(grown(REQUESTS, { status: '401' })).toBeGreaterThanOrEqual(1);
      expect(grown(DUPLICATES)).toBe(3);
      expect([4, 7]).toContain(grown(ACCEPTED));
      expect(grown(REJECTED, { code: 'UNKNOWN_EVENT_TYPE' })).toBe(2);
    });
  });

  test('contains metrics of the spool, its disk and the warehouse', async () => {
    const tenant = await liveTenant(ingest());
    const id = newMessageId();
    await postEvents(ingest(), tenant.writeKey, [eventOf(id)]);
    await storedEvents(tenant.workspaceId, [id]);
    await untilMetrics(ingest(), samples => {
      expect(one(samples, /^ingest_spool_.*bytes$/)).toBeGreaterThanOrEqual(0);
      expect(one(samples, /^ingest_.*(oldest|unsent).*seconds$/)).toBeGreaterThanOrEqual(0);
      expect(one(samples, /^ingest_.*fsync.*seconds_count$/)).toBeGreaterThan(0);
      expect(one(samples, /^ingest_.*insert.*seconds_count$/)).toBeGreaterThan(0);
      expect(sumOf(samples, /^ingest_insert_failures_total$/)).toBe(0);
    });
    // A metric without samples is still listed, so that an alert on it can be written.
    const { text } = await send(`${ingest().url}/metrics`, { method: 'GET' });
    expect(text).toContain('# TYPE ingest_insert_failures_total counter');
  });

  test('contains no key, tenant or path of a caller', async () => {
    const tenant = await liveTenant(ingest());
    await postEvents(ingest(), tenant.writeKey, [eventText({ type: '"x"' })]);
    await send(`${ingest().url}/an/unknown/path-of-a-caller`);
    const { text } = await send(`${ingest().url}/metrics`, { method: 'GET' });
    expect(text).not.toContain(tenant.writeKey);
    expect(text).not.toContain(tenant.workspaceId);
    expect(text).not.toContain('path-of-a-caller');
  });
});

describe('the log', () => {
  test('consists of JSON lines without keys and without customer data', async () => {
    const tenant = await liveTenant(ingest());
    const secret = `secret-${newMessageId()}`;
    const properties = JSON.stringify({ secret });
    await postEvents(ingest(), tenant.writeKey, [eventText({ properties })]);
    await postEvents(ingest(), tenant.writeKey, [eventText({ properties, type: '"x"' })]);
    await post(ingest(), `{"secret":"${secret}"`);
    const lines = ingest().stdoutLines();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
    expect(ingest().logs()).not.toContain(secret);
    expect(ingest().logs()).not.toContain(tenant.writeKey);
  });
});

/** The sum of a metric that must exist. */
function one(samples: readonly Sample[], name: RegExp): number {
  expect(samples.map(sample => sample.name)).toContainEqual(expect.stringMatching(name));
  return sumOf(samples, name);
}
