import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

test('the first workspace of an organization is used as soon as it is created', async () => {
  const organizationId = uuidv7();
  await sql('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organizationId, 'New']);
  const token = await tokenFor(organizationId);
  const ask = () => api().rest('/api/v1/sdk-keys', { token });
  expect((await ask()).status).toBe(400);
  const document =
    'mutation { workspaceCreate(input: {name: "First"}) { workspace { id } userErrors { code } } }';
  const { data } = await api().graphql(document, { token });
  expect(data?.workspaceCreate).toMatchObject({ userErrors: [] });
  expect((await ask()).status).toBe(200);
});
