import { expect, test } from 'vitest';
import { refer } from '../harness/partner.ts';
import { organizationNode, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const PATH = '/api/v1/affiliates/upgrade';

test('200: with eleven active referrals, a pending, empty profile is created', async () => {
  const owner = await api().owner();
  await refer(owner.organizationId, 11, api().sql);
  const answer = await owner.post(PATH);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json()).toEqual({
    status: 'SUCCESS',
    partner_status: 'USER',
    kyc_status: 'KYC_PENDING',
    pan_masked: null,
    gst_number: null,
    bank_account_masked: null,
    bank_ifsc: null,
    kyc_submitted_at: null,
    kyc_approved_at: null,
    rejection_reason: null,
  });
});

test('200: a repeat returns the same profile, even with fewer active referrals', async () => {
  const owner = await api().owner();
  await refer(owner.organizationId, 11, api().sql);
  const first = await owner.post(PATH);
  const profiles = 'SELECT * FROM affiliate_profiles WHERE organization_id = $1';
  const before = await api().sql(profiles, [owner.organizationId]);
  await api().sql(
    'UPDATE referee_relations SET live_payments = 0 WHERE referrer_organization_id = $1',
    [owner.organizationId],
  );
  api().advanceDays(1);
  const again = await owner.post(PATH);
  expect(again.status).toBe(200);
  expect(again.json()).toEqual(first.json());
  expect(await api().sql(profiles, [owner.organizationId])).toEqual(before);
  const [row] = await api().sql(
    `SELECT count(*)::int AS entries FROM audit_log WHERE organization_id = $1`,
    [owner.organizationId],
  );
  expect(row).toEqual({ entries: 1 });
});

test('200: many concurrent requests create one profile', async () => {
  const owner = await api().owner();
  await refer(owner.organizationId, 11, api().sql);
  const answers = await Promise.all(Array.from({ length: 10 }, () => owner.post(PATH)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
});

test('200: an agency needs no referrals', async () => {
  const owner = await api().owner();
  const admin = await api().admin();
  await admin.mutate('agencyAppoint', 'agency { organizationId }', {
    id: organizationNode(owner),
    input: {},
  });
  const answer = await owner.post(PATH);
  expect(answer.json()).toMatchObject({ partner_status: 'AGENCY', kyc_status: 'KYC_PENDING' });
});

test('403 UPGRADE_NOT_ELIGIBLE: with ten, and an eleventh whose payment was charged back', async () => {
  const owner = await api().owner();
  await refer(owner.organizationId, 11, api().sql);
  await api().sql(
    `UPDATE referee_relations SET live_payments = 0 WHERE referee_organization_id =
       (SELECT max(referee_organization_id::text)::uuid FROM referee_relations
        WHERE referrer_organization_id = $1)`,
    [owner.organizationId],
  );
  const answer = await owner.post(PATH);
  expect(answer.status).toBe(403);
  expect(answer.json()).toEqual({ detail: 'UPGRADE_NOT_ELIGIBLE' });
  const { userErrors } = await owner.mutate('affiliateUpgrade', '');
  expect(userErrors).toEqual([
    {
      code: 'UPGRADE_NOT_ELIGIBLE',
      field: null,
      message: 'Becoming an affiliate requires 11 active referrals; the organization has 10.',
    },
  ]);
});

test('403: members cannot upgrade', async () => {
  const owner = await api().owner();
  await refer(owner.organizationId, 11, api().sql);
  const member = await api().caller(owner.organizationId, 'member');
  expect((await member.post(PATH)).status).toBe(403);
});
