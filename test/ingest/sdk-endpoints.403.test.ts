import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import {
  named,
  SDK_ENDPOINTS,
  SDK_POST_ENDPOINTS,
  sendKeyless,
  sendValid,
} from '../harness/sdk-endpoints.ts';
import { createSibling, type Tenant } from '../harness/tenant.ts';

const LISTED = ['https://shop.example.com', 'http://localhost:3000'];

const ingest = useSharedIngest();
let open: Tenant;
let listed: Tenant;
let other: Tenant;
let sibling: Tenant;
beforeAll(async () => {
  [open, listed, other] = await Promise.all([
    liveTenant(ingest()),
    liveTenant(ingest(), { origins: LISTED }),
    liveTenant(ingest()),
  ]);
  sibling = await createSibling(open);
  await liveTenant(ingest());
});

describe.concurrent.for(named(SDK_ENDPOINTS))('ORIGIN_NOT_ALLOWED: $name', endpoint => {
  test.for([
    'https://evil.example.com',
    'http://shop.example.com',
    'https://shop.example.com.evil.example',
    'http://localhost',
    'null',
    '*',
  ])('%s', async origin => {
    const headers = { origin };
    const request = await endpoint.valid(listed);
    const answer = await sendValid(ingest(), endpoint, listed, request, { headers });
    expectProblem(answer, 403, 'ORIGIN_NOT_ALLOWED');
    const cors = Object.keys(answer.headers).filter(name => name.startsWith('access-control-'));
    expect(cors).toEqual([]);
  });

  test('an origin on the list is accepted, and so is a request without one', async () => {
    for (const headers of [...LISTED.map(origin => ({ origin })), {}]) {
      const request = await endpoint.valid(listed);
      const answer = await sendValid(ingest(), endpoint, listed, request, { headers });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    }
  });

  test('an unknown key is refused before the origin is checked', async () => {
    const headers = { origin: 'https://evil.example.com' };
    const request = await endpoint.valid(listed);
    const answer = await sendKeyless(ingest(), endpoint, request, { headers });
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
  });
});

describe.concurrent.for(named(SDK_ENDPOINTS))('TENANT_MISMATCH: $name', endpoint => {
  test('headers that name another tenant, or one that does not exist', async () => {
    for (const headers of [
      { 'x-organization-id': uuidv7() },
      { 'x-organization-id': 'not-a-uuid' },
      { 'x-organization-id': other.organizationId },
      { 'x-property-id': uuidv7() },
      { 'x-property-id': 'not-a-uuid' },
      { 'x-property-id': other.propertyId },
      { 'x-property-id': sibling.propertyId },
      { 'x-organization-id': open.organizationId, 'x-property-id': other.propertyId },
      { 'x-organization-id': other.organizationId, 'x-property-id': open.propertyId },
    ]) {
      const request = await endpoint.valid(open);
      const answer = await sendValid(ingest(), endpoint, open, request, { headers });
      expectProblem(answer, 403, 'TENANT_MISMATCH');
    }
  });

  test('headers of the same tenant are accepted, also in upper case, and so are empty headers', async () => {
    for (const headers of [
      { 'x-organization-id': open.organizationId, 'x-property-id': open.propertyId },
      {
        'x-organization-id': open.organizationId.toUpperCase(),
        'x-property-id': open.propertyId.toUpperCase(),
      },
      { 'x-organization-id': '', 'x-property-id': '' },
    ]) {
      const request = await endpoint.valid(open);
      const answer = await sendValid(ingest(), endpoint, open, request, { headers });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    }
  });
});

describe.concurrent.for(named(SDK_POST_ENDPOINTS))('TENANT_MISMATCH: $name', endpoint => {
  test('a body that names another tenant', async () => {
    for (const claims of [
      { workspace_id: uuidv7() },
      { workspace_id: 'not-a-uuid' },
      { workspace_id: other.workspaceId },
      { workspace_id: sibling.workspaceId },
      { property_id: uuidv7() },
      { property_id: 'not-a-uuid' },
      { property_id: other.propertyId },
      { property_id: sibling.propertyId },
      { workspace_id: open.workspaceId, property_id: other.propertyId },
    ]) {
      const { path, body } = await endpoint.valid(open);
      const request = { path, body: { ...body, ...claims } };
      const answer = await sendValid(ingest(), endpoint, open, request);
      expectProblem(answer, 403, 'TENANT_MISMATCH');
    }
  });

  test('a body that names the tenant itself', async () => {
    for (const claims of [
      { workspace_id: open.workspaceId, property_id: open.propertyId },
      { workspace_id: open.workspaceId.toUpperCase(), property_id: open.propertyId.toUpperCase() },
    ]) {
      const { path, body } = await endpoint.valid(open);
      const request = { path, body: { ...body, ...claims } };
      const answer = await sendValid(ingest(), endpoint, open, request);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    }
  });
});
