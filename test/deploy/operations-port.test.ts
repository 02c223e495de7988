// /metrics and /internal are on a separate port, to which no proxy forwards requests.

import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { readConfig as readApiConfig } from '../../graphql-api/app/config.ts';
import { readConfig as readIngestConfig } from '../../ingest/config.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { createTenant } from '../harness/tenant.ts';

let ingest: IngestProcess;
let api: ApiProcess;
let ofIngest: string;
let ofApi: string;

beforeAll(async () => {
  const [ingestPort, apiPort] = [await freePort(), await freePort()];
  ofIngest = `http://127.0.0.1:${ingestPort}`;
  ofApi = `http://127.0.0.1:${apiPort}`;
  [ingest, api] = await Promise.all([
    startIngest({ env: { INGEST_OPERATIONS_PORT: String(ingestPort), INTERNAL_TOKEN } }),
    startApi({
      env: {
        API_OPERATIONS_PORT: String(apiPort),
        API_PROCESSES: availableParallelism() > 1 ? '2' : '1',
      },
    }),
  ]);
});
afterAll(async () => {
  expect(await ingest?.stop()).toEqual({ code: 0, signal: null });
  expect(await api?.stop()).toBe(0);
});

const get = async (url: string) => (await send(url, { method: 'GET' })).status;

test('ingest serves metrics only there, and the traffic only on its port', async () => {
  const { text } = await send(`${ofIngest}/metrics`, { method: 'GET' });
  expect(text).toMatch(/^service_build_info\{/m);
  expect(await get(`${ingest.url}/metrics`)).toBe(404);
  const tenant = await createTenant();
  await untilKnown(ingest, tenant.writeKey);
  const event = () => [eventOf(newMessageId())];
  expectAccepted(await postEvents(ingest, tenant.writeKey, event()), 1);
  expect((await postEvents({ url: ofIngest }, tenant.writeKey, event())).status).toBe(404);
});

test('the API’s calls to ingest are served only there', async () => {
  const { workspaceId, writeKey } = await createTenant();
  await untilKnown(ingest, writeKey);
  const tail = (url: string) =>
    send(`${url}/internal/tail?workspace_id=${workspaceId}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${INTERNAL_TOKEN}` },
    });
  const answer = await tail(ofIngest);
  expect(answer.status, answer.text).toBe(200);
  expect((await tail(ingest.url)).status).toBe(404);
});

test('the API serves metrics of all its processes only there', async () => {
  const { text } = await send(`${ofApi}/metrics`, { method: 'GET' });
  expect(text).toMatch(/^service_build_info\{[^}]*\} 1$/m);
  expect(await get(`${api.url}/metrics`)).toBe(404);
  expect(await get(`${ofApi}/graphql`)).toBe(404);
});

test('both ports have the probes', async () => {
  for (const url of [ingest.url, ofIngest, api.url, ofApi])
    for (const path of ['/healthz', '/readyz']) expect(await get(url + path), url).toBe(200);
});

test.each([
  ['INGEST', readIngestConfig],
  ['API', readApiConfig],
] as const)(
  'production requires %s_OPERATIONS_PORT, different from that of the traffic',
  (program, read) => {
    const name = `${program}_OPERATIONS_PORT`;
    expect(() => read({ NODE_ENV: 'production' })).toThrow(`${name}: is required in production`);
    const same = { [`${program}_PORT`]: '7000', [name]: '7000' };
    expect(() => read(same)).toThrow(`${name}: must differ from ${program}_PORT`);
  },
);
