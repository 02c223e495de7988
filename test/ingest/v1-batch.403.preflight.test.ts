// A preflight contains no key, so its response depends on all live keys. These tests therefore use
// their own database.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { expectAccepted, post, untilKnown } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { type Answer, send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';

let databaseUrl: string;
let ingest: IngestProcess;
let shop: Tenant;
let blog: Tenant;
beforeAll(async () => {
  const urls = await ownDatabase();
  databaseUrl = urls.owner;
  shop = await createTenant({ databaseUrl, origins: ['https://shop.example.com'] });
  blog = await createTenant({ databaseUrl, origins: ['https://blog.example.com'] });
  await createTenant({ databaseUrl, origins: ['https://gone.example.com'], isRevoked: true });
  ingest = await startIngest({ threads: 1, env: { DATABASE_SYSTEM_URL: urls.system } });
  await untilKnown(ingest, shop.writeKey);
});
afterAll(async () => {
  await ingest?.stop();
});

function preflight(origin: string): Promise<Answer> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-service-write-key',
  };
  return send(`${ingest.url}/v1/batch`, { method: 'OPTIONS', headers });
}

const allowed = (answer: Answer) => answer.headers['access-control-allow-origin'];

test('an origin that an active key allows gets CORS headers', async () => {
  for (const origin of ['https://shop.example.com', 'https://blog.example.com']) {
    expect(allowed(await preflight(origin))).toBe(origin);
  }
});

test('an origin that no active key allows gets none', async () => {
  for (const origin of ['https://evil.example.com', 'https://gone.example.com', 'null']) {
    expect(allowed(await preflight(origin))).toBeUndefined();
  }
});

test('the request itself is checked against its own key', async () => {
  const headers = { origin: 'https://blog.example.com' };
  expectAccepted(await post(ingest, batchText(blog.writeKey, [eventText()]), { headers }), 1);
  const answer = await post(ingest, batchText(shop.writeKey, [eventText()]), { headers });
  expect(answer.status).toBe(403);
  expect(allowed(answer)).toBeUndefined();
});

test('errors without a key are readable only for origins of an active key', async () => {
  for (const body of ['{', batchText('wk_unknown_unknown_unknown', [eventText()])]) {
    const known = await post(ingest, body, { headers: { origin: 'https://shop.example.com' } });
    expect(allowed(known)).toBe('https://shop.example.com');
    const unknown = await post(ingest, body, { headers: { origin: 'https://evil.example.com' } });
    expect(allowed(unknown)).toBeUndefined();
  }
});

test('one key open to all opens preflights to all, and revoking it closes them', async () => {
  const open = await createTenant({ databaseUrl });
  await eventually(async () => {
    expect(allowed(await preflight('https://any.example.org'))).toBeDefined();
  });
  await sql('UPDATE sdk_keys SET revoked_at = now() WHERE id = $1', [open.keyId], databaseUrl);
  await eventually(async () => {
    expect(allowed(await preflight('https://any.example.org'))).toBeUndefined();
  });
});
