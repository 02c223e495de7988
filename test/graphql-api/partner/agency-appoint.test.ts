import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { dealBody, REGISTER, registered } from './agencies.ts';
import { organizationNode, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const SHOWN = 'agency { domain agreementSignedAt agreementReference appointedBy }';

test('a platform admin appoints an agency, and changes its record', async () => {
  const owner = await api().owner();
  const admin = await api().admin();
  const appoint = (input: Record<string, unknown>) =>
    admin.mutate('agencyAppoint', SHOWN, { id: organizationNode(owner), input });
  const nothing = { domain: null, agreementSignedAt: null, agreementReference: null };
  const appointedBy = 'user-of-a-test';
  expect(await appoint({})).toEqual({ agency: { ...nothing, appointedBy }, userErrors: [] });
  expect((await owner.post(REGISTER, dealBody())).status).toBe(403);

  const agreementSignedAt = '2026-01-02T00:00:00.000Z';
  const signed = { agreementSignedAt, agreementReference: 'Folder 7' };
  await appoint(signed);
  expect(await appoint({ domain: 'www.partner.example.org' })).toEqual({
    agency: { ...signed, domain: 'example.org', appointedBy },
    userErrors: [],
  });
  await registered(owner);
  // Omitted fields are unchanged; null removes a value.
  expect(await appoint({ agreementSignedAt: null, agreementReference: null })).toEqual({
    agency: { ...nothing, domain: 'example.org', appointedBy },
    userErrors: [],
  });
  expect((await owner.post(REGISTER, dealBody())).status).toBe(403);
  const entries = await api().sql(
    `SELECT before, after FROM audit_log
     WHERE organization_id = $1 AND action = 'agency.appoint' ORDER BY created_at, id`,
    [owner.organizationId],
  );
  expect(entries).toHaveLength(4);
  expect(entries[3]).toEqual({
    before: { ...signed, domain: 'example.org' },
    after: { ...nothing, domain: 'example.org' },
  });
});

test.for([
  [{ domain: 'co.uk' }, 'domain'],
  [{ agreementSignedAt: '2100-01-01T00:00:00Z' }, 'agreementSignedAt'],
  [{ agreementReference: 'Folder 7' }, 'agreementReference'],
] as const)('%o is refused for its %s', async ([input, field]) => {
  const admin = await api().admin();
  const id = organizationNode(await api().owner());
  const { userErrors } = await admin.mutate('agencyAppoint', SHOWN, { id, input });
  expect(userErrors).toMatchObject([{ code: 'BAD_USER_INPUT', field: ['input', field] }]);
});

test('an unknown organization is not found', async () => {
  const admin = await api().admin();
  const id = encodeNodeId('Organization', uuidv7());
  const { userErrors } = await admin.mutate('agencyAppoint', SHOWN, { id, input: {} });
  expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', field: ['id'] }]);
});
