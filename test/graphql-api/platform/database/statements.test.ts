// No N+1 queries: a page of every list takes the same number of statements for any number of rows.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGraphql } from '../../../../graphql-api/app/graphql-server.ts';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { createCampaign, createContact, expose } from '../../../harness/campaign.ts';
import {
  createKey,
  createSibling,
  createTenant,
  sql,
  type Tenant,
} from '../../../harness/tenant.ts';
import { contextOf, useDeps } from '../../harness/deps.ts';

const deps = useDeps();
const originalQuery = Reflect.get(pg.Client.prototype, 'query') as () => unknown;
let statements = 0;

beforeAll(() => {
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    statements++;
    return Reflect.apply(originalQuery, this, args);
  } as never;
});
afterAll(() => {
  Reflect.set(pg.Client.prototype, 'query', originalQuery);
});

/** Every list and every reference. Add those of a new noun here. */
const EVERYTHING = `{
  viewer {
    organization { name workspaces(first: 50) { nodes { id name cell { slug } } } }
    workspace { name cell { region } }
  }
  organization { id auditEntries(first: 50) { nodes { id action } } }
  workspace { id }
  sdkKeys(first: 50) { nodes { id name rotatedFrom { name } replacedBy { name } } }
  properties(first: 50) { nodes { id name } }
  rejectedEventsReplays(first: 50) { nodes { id state report { found } } }
  auditEntries(first: 50) { nodes { id action before after } }
  regions
}`;

/** The same for campaigns and contacts. */
const CAMPAIGNS_AND_PEOPLE = `{
  campaigns(first: 50) { nodes { id name caps { totalMax } variants { id } } }
  contacts(first: 50) { nodes {
    id userId traits traitsBytes
    consents { purpose } devices { maskedToken } recentExposures { campaignId }
  } }
  campaignPreview { shown { campaign { id } } skipped { campaign { id } reason } }
}`;

async function count(tenant: Tenant, query: string): Promise<{ statements: number; text: string }> {
  const context = contextOf(deps(), tenant);
  const request = new Request('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const before = statements;
  const answer = await createGraphql(deps())(request, context);
  const text = await answer.text();
  await context.finish();
  expect(text).not.toContain('"errors"');
  return { statements: statements - before, text };
}

test('the number of statements for a page does not depend on the number of rows', async () => {
  const [few, many] = [await createTenant(), await createTenant()];
  await rotateOften(few, 1);
  await rotateOften(many, 20);
  for (let i = 0; i < 20; i++) await createSibling(many);
  await askForReplays(few, 1);
  await askForReplays(many, 20);
  // The first query opens connections and loads types.
  await count(few, EVERYTHING);
  const one = await count(few, EVERYTHING);
  const twenty = await count(many, EVERYTHING);
  expect(twenty.text.length).toBeGreaterThan(one.text.length);
  expect(one.statements).toBeGreaterThan(1);
  expect(twenty.statements).toBe(one.statements);
});

/** Creates replays, whose state is read from the queue. */
async function askForReplays({ workspaceId }: Tenant, times: number): Promise<void> {
  await sql(
    `INSERT INTO rejected_events_replays (id, workspace_id, actor_id, request)
     SELECT gen_random_uuid(), $1, 'somebody', '{}' FROM generate_series(1, $2)`,
    [workspaceId, times],
  );
}

/** Creates a chain of keys, each the successor of the previous one. */
async function rotateOften(tenant: Tenant, times: number): Promise<void> {
  let { keyId } = tenant;
  for (let i = 0; i < times; i++) {
    const successor = await createKey(tenant.workspaceId);
    await sql('UPDATE sdk_keys SET rotated_from_id = $1 WHERE id = $2', [keyId, successor.keyId]);
    keyId = successor.keyId;
  }
}

test('loads by ID are batched', async () => {
  const tenant = await createTenant();
  const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(tenant.workspaceId)));
  const nodes = keys.map(
    ({ keyId }, i) => `n${i}: node(id: "${encodeNodeId('SdkKey', keyId)}") { id }`,
  );
  await count(tenant, `{ ${nodes[0]} }`);
  const one = await count(tenant, `{ ${nodes[0]} }`);
  const ten = await count(tenant, `{ ${nodes.join(' ')} }`);
  expect(ten.statements).toBe(one.statements);
});

test('the number of statements for campaigns and people does not depend on the number of rows', async () => {
  const [few, many] = [await createTenant(), await createTenant()];
  for (const [{ workspaceId }, size] of [
    [few, 1],
    [many, 20],
  ] as const)
    for (let i = 0; i < size; i++) {
      const consents = { marketing: 'GRANTED', research: 'DENIED' } as const;
      const { userId } = await createContact(workspaceId, { traits: { i }, consents });
      await expose(workspaceId, userId, await createCampaign(workspaceId));
      await createCampaign(workspaceId, { audience: { trait: 'i', operator: 'eq', value: i } });
    }
  await count(few, CAMPAIGNS_AND_PEOPLE);
  const one = await count(few, CAMPAIGNS_AND_PEOPLE);
  const twenty = await count(many, CAMPAIGNS_AND_PEOPLE);
  expect(twenty.text.length).toBeGreaterThan(10 * one.text.length);
  expect(twenty.statements).toBe(one.statements);
});
