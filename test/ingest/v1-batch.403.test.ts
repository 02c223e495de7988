import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import { createSibling, sql, type Tenant } from '../harness/tenant.ts';
import { countEvents } from '../harness/warehouse.ts';

const LISTED = ['https://shop.example.com', 'http://localhost:3000', 'https://例え.example.jp'];

// A single thread writes one log, so when a later event is readable, all earlier ones are too.
const ingest = useSharedIngest();
let open: Tenant;
let listed: Tenant;
let other: Tenant;
beforeAll(async () => {
  [open, listed, other] = await Promise.all([
    liveTenant(ingest()),
    liveTenant(ingest(), { origins: LISTED }),
    liveTenant(ingest()),
  ]);
});

function from(origin: string, tenant = listed, type = 'application/json'): Promise<Answer> {
  const headers = { origin, 'content-type': type };
  return post(ingest(), batchText(tenant.writeKey, [eventText()]), { headers });
}

describe.concurrent('ORIGIN_NOT_ALLOWED', () => {
  test.for([
    'https://evil.example.com',
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'https://shop.example.com.evil.example',
    'https://evil-shop.example.com',
    'https://sub.shop.example.com',
    'https://example.com',
    'http://localhost',
    'http://localhost:30000',
    'null',
    'file://',
    'shop.example.com',
    'constructor',
    '*',
  ])('%s is not on the list', async origin => {
    for (const type of ['application/json', 'text/plain']) {
      const answer = await from(origin, listed, type);
      expectProblem(answer, 403, 'ORIGIN_NOT_ALLOWED');
      const cors = Object.keys(answer.headers).filter(name => name.startsWith('access-control-'));
      expect(cors).toEqual([]);
    }
  });

  test.for(['https://shop.example.com', 'http://localhost:3000'])(
    '%s is on the list',
    async origin => {
      expectAccepted(await from(origin), 1);
    },
  );

  test('an origin is compared without regard to case', async () => {
    // Browsers send scheme and host in lower case; other clients may not.
    expect([200, 403]).toContain((await from('HTTPS://SHOP.EXAMPLE.COM')).status);
  });

  test('a request without an Origin is accepted, because servers and apps send none', async () => {
    expectAccepted(await postEvents(ingest(), listed.writeKey, [eventText()]), 1);
  });

  test.for(['https://any.example.org', 'null'])('an empty list allows %s', async origin => {
    expectAccepted(await from(origin, open), 1);
  });

  test('nothing of a refused request is stored', async () => {
    const quiet = await liveTenant(ingest(), { origins: LISTED });
    expectProblem(await from('https://evil.example.com', quiet), 403, 'ORIGIN_NOT_ALLOWED');
    const marker = newMessageId();
    expectAccepted(await postEvents(ingest(), quiet.writeKey, [eventOf(marker)]), 1);
    await storedEvent(quiet.workspaceId, marker);
    expect(await countEvents(quiet.workspaceId)).toBe(1);
  });

  test('a changed list takes effect', async () => {
    const tenant = await liveTenant(ingest(), { origins: ['https://old.example.com'] });
    expectAccepted(await from('https://old.example.com', tenant), 1);
    const origins = ['https://new.example.com'];
    await sql('UPDATE sdk_keys SET origins = $1 WHERE id = $2', [origins, tenant.keyId]);
    await eventually(async () => {
      expectAccepted(await from('https://new.example.com', tenant), 1);
      expectProblem(await from('https://old.example.com', tenant), 403, 'ORIGIN_NOT_ALLOWED');
    });
  });
});

describe.concurrent('TENANT_MISMATCH', () => {
  const strangers = [
    ['an unknown id', () => uuidv7()],
    ['no id', () => 'not-a-uuid'],
    ['SQL', () => "' OR 1=1 --"],
  ] as const;

  test.for(strangers)('X-Organization-ID of %s', async ([, id]) => {
    const headers = { 'x-organization-id': id() };
    const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
    expectProblem(answer, 403, 'TENANT_MISMATCH');
  });

  test.for(strangers)('X-Property-Id of %s', async ([, id]) => {
    const headers = { 'x-property-id': id() };
    const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
    expectProblem(answer, 403, 'TENANT_MISMATCH');
  });

  test('ids of another tenant', async () => {
    for (const headers of [
      { 'x-organization-id': other.organizationId },
      { 'x-property-id': other.propertyId },
      { 'x-organization-id': open.organizationId, 'x-property-id': other.propertyId },
      { 'x-organization-id': other.organizationId, 'x-property-id': open.propertyId },
    ]) {
      const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
      expectProblem(answer, 403, 'TENANT_MISMATCH');
    }
  });

  test('the property of a sibling workspace', async () => {
    const sibling = await createSibling(open);
    await liveTenant(ingest());
    const headers = { 'x-property-id': sibling.propertyId };
    const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
    expectProblem(answer, 403, 'TENANT_MISMATCH');
  });

  test('IDs of the same tenant are accepted, also in upper case', async () => {
    for (const write of [(id: string) => id, (id: string) => id.toUpperCase()]) {
      const headers = {
        'x-organization-id': write(open.organizationId),
        'x-property-id': write(open.propertyId),
      };
      const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
      expectAccepted(answer, 1);
    }
  });

  test('an empty header is ignored', async () => {
    const headers = { 'x-organization-id': '', 'x-property-id': '' };
    const answer = await postEvents(ingest(), open.writeKey, [eventText()], {}, { headers });
    expectAccepted(answer, 1);
  });
});
