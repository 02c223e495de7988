// The description is what is checked: printed from the contracts, served, and true.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../ingest/openapi/document.ts';
import { OPERATIONS } from '../../ingest/openapi/operations.ts';
import { send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { SDK_ENDPOINTS } from '../harness/sdk-endpoints.ts';

const ingest = useIngest({ threads: 1 });

test('ingest/openapi.json is up to date (npm run openapi)', async () => {
  const path = join(import.meta.dirname, '..', '..', 'ingest', 'openapi.json');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(jsonOf(openApiDocument()));
});

test.each(['/openapi.json', '/v1/openapi.json'])('%s serves it', async path => {
  const answer = await send(`${ingest().url}${path}`, { method: 'GET' });
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual(jsonOf(openApiDocument()));
});

test('every endpoint for outsiders is described', () => {
  const described = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  for (const { method, route } of SDK_ENDPOINTS) expect(described).toContain(`${method} ${route}`);
  expect(described).toContain('POST /v1/webhooks/payment/gateway');
  expect(described).toHaveLength(SDK_ENDPOINTS.length + 2);
});

describe.each(OPERATIONS.filter(({ body }) => body !== undefined))('$path', ({ body }) => {
  test('has an example that its own contract takes', () => {
    const example = body!.meta()?.example;
    expect(example).toBeDefined();
    expect(body!.safeParse(example)).toMatchObject({ success: true });
  });
});

function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
