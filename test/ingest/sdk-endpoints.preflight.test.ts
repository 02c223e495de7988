// A preflight contains no key, so its response depends on all live keys. These tests therefore use
// their own database.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilKnown } from '../harness/batch-client.ts';
import { type Answer, send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { named, SDK_ENDPOINTS } from '../harness/sdk-endpoints.ts';
import { createTenant } from '../harness/tenant.ts';

const LISTED = ['https://shop.example.com', 'http://localhost:3000'];
/** Every header that clients send according to the contract, and those needed for a body. */
const HEADERS = [
  'authorization',
  'content-encoding',
  'content-type',
  'x-contact-id',
  'x-organization-id',
  'x-property-id',
  'x-service-write-key',
  'x-user-id',
];

let ingest: IngestProcess;
beforeAll(async () => {
  const { owner: databaseUrl, system } = await ownDatabase();
  const tenant = await createTenant({ databaseUrl, origins: LISTED });
  await createTenant({ databaseUrl, origins: ['https://gone.example.com'], isRevoked: true });
  ingest = await startIngest({ threads: 1, env: { DATABASE_SYSTEM_URL: system } });
  await untilKnown(ingest, tenant.writeKey);
});
afterAll(async () => {
  await ingest?.stop();
});

function names(list: string | undefined): string[] {
  return (list ?? '').split(',').map(name => name.trim().toLowerCase());
}

describe.concurrent.for(named(SDK_ENDPOINTS))('preflight: $name', ({ route, method }) => {
  // The widget need not exist: a preflight is about the path.
  const path = route.replace(/\{\w+\}/, 'any-id');
  const preflight = (origin: string): Promise<Answer> =>
    send(`${ingest.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': HEADERS.join(','),
      },
    });

  test.for(LISTED)('of %s gets all required headers', async origin => {
    const answer = await preflight(origin);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-allow-credentials']).toBe('true');
    expect(names(answer.headers['access-control-allow-methods'])).toContain(method.toLowerCase());
    const allowed = names(answer.headers['access-control-allow-headers']);
    expect(allowed).toEqual(expect.arrayContaining(HEADERS));
    expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0);
    expect(names(answer.headers.vary)).toContain('origin');
  });

  test.for(['https://evil.example.com', 'https://gone.example.com', 'null'])(
    'of %s, which no active key allows, gets no CORS headers',
    async origin => {
      const answer = await preflight(origin);
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});
