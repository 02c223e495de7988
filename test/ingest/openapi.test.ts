// The OpenAPI document is generated from the contracts, served, and correct.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../ingest/openapi/document.ts';
import type { Operation } from '../../ingest/openapi/operation.ts';
import { OPERATIONS } from '../../ingest/openapi/operations.ts';
import { COMPATIBLE_PATHS } from '../harness/compatible-paths.ts';
import { newSecret, postWebhook, WEBHOOK_PATH } from '../harness/gateway-webhook.ts';
import { type Answer, send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { SDK_ENDPOINTS } from '../harness/sdk-endpoints.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { queueWidget } from '../harness/widget.ts';

/** With version and hash in its name. */
const CLIENT_FILE = readdirSync(join(import.meta.dirname, '../../sdk/dist/cdn')).find(name =>
  /^\d.*\.js$/.test(name),
)!;
const GATEWAY_SECRET = newSecret();
let tenant: Tenant;
/** A tenant whose key accepts requests of other vendors' clients. */
let compatible: Tenant;
// Created before ingest starts, so that its directory contains them.
beforeAll(async () => {
  [tenant, compatible] = await Promise.all([
    createTenant(),
    createTenant({ accepts: 'COMPATIBLE' }),
  ]);
});
const ingest = useIngest({ threads: 1, env: { GATEWAY_WEBHOOK_SECRET: GATEWAY_SECRET } });

test('ingest/openapi.json is up to date (npm run openapi)', async () => {
  const path = join(import.meta.dirname, '..', '..', 'ingest', 'openapi.json');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(jsonOf(openApiDocument()));
});

test.each(['/openapi.json', '/v1/openapi.json'])('%s serves it', async path => {
  const answer = await send(`${ingest().url}${path}`, { method: 'GET' });
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual(jsonOf(openApiDocument()));
});

test('every public endpoint is described', () => {
  const described = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  for (const { method, route } of SDK_ENDPOINTS) expect(described).toContain(`${method} ${route}`);
  expect(described).toContain('POST /v1/webhooks/payment/gateway');
  for (const path of COMPATIBLE_PATHS)
    expect(described.filter(text => text.endsWith(` ${path}`))).toHaveLength(1);
  expect(described).toEqual(expect.arrayContaining(['GET /sdk.js', 'GET /sdk/{file}']));
  expect(described).toHaveLength(SDK_ENDPOINTS.length + 4 + COMPATIBLE_PATHS.length);
});

describe.each(OPERATIONS.filter(({ body }) => body !== undefined))('$path', ({ body }) => {
  test('has an example that its own contract accepts', () => {
    const example = body!.meta()?.example;
    expect(example).toBeDefined();
    expect(body!.safeParse(example)).toMatchObject({ success: true });
  });
});

describe.concurrent('the example of', () => {
  test.for(OPERATIONS.map(({ operationId }) => operationId))('%s is accepted', async id => {
    const operation = OPERATIONS.find(({ operationId }) => operationId === id)!;
    const answer = await sendExample(operation);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  });
});

/** Sends the example with the IDs of the tenant. */
async function sendExample(operation: Operation): Promise<Answer> {
  const { method, path, parameters, body, tag } = operation;
  const { writeKey, propertyId } = tag === 'Compatible' ? compatible : tenant;
  const { stepExecutionId } = await queueWidget(tenant);
  const named = path
    .replace('{step_execution_id}', stepExecutionId)
    .replace('{write_key}', writeKey)
    .replace('{file}', CLIENT_FILE);
  const url = new URL(ingest().url + named);
  const headers: Record<string, string> = { 'x-service-write-key': writeKey };
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'query') url.searchParams.set(name, example);
    if (place === 'header') headers[name] = example;
  }
  if (body === undefined) return send(url.href, { method: 'GET', headers });
  const example = body.meta()!.example as Record<string, unknown>;
  const ids = { writeKey, property_id: propertyId };
  const own = Object.entries(ids).filter(([name]) => name in example);
  const text = JSON.stringify({ ...example, ...Object.fromEntries(own) });
  if (path === WEBHOOK_PATH) return postWebhook(ingest(), text, { secret: GATEWAY_SECRET });
  headers['content-type'] = 'application/json';
  return send(url.href, { method: method.toUpperCase(), headers, body: text });
}

function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
