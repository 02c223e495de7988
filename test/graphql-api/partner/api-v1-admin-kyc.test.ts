// The review of KYC: the contract's path over REST, the queue and all other operations over
// GraphQL.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { taxRateBps } from '../../../graphql-api/partner/payout.rules.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createAffiliate, gstinOf, kycBody } from '../harness/partner.ts';
import { type Caller, organizationNode, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const SUBMIT = '/api/v1/affiliates/kyc/submit';

const pathOf = ({ organizationId }: Pick<Caller, 'organizationId'>) =>
  `/api/v1/admin/referrals/kyc/${organizationId}/approve`;

/** An affiliate with a submitted KYC. */
async function submitted(change: Record<string, unknown> = {}): Promise<Caller> {
  const owner = await api().owner();
  await createAffiliate(owner.organizationId, api().sql);
  const answer = await owner.post(SUBMIT, { ...kycBody(), ...change });
  expect(answer.status, answer.text).toBe(200);
  return owner;
}

async function submissionOf({ organizationId }: Caller): Promise<string> {
  const [row] = await api().sql(
    `SELECT id FROM kyc_submissions WHERE organization_id = $1 AND status <> 'SUPERSEDED'`,
    [organizationId],
  );
  return encodeNodeId('KycSubmission', String(row!.id));
}

const standingOf = (owner: Caller) =>
  api().sql(
    `SELECT kyc_status, partner_status FROM affiliate_profiles
     LEFT JOIN partner_profiles USING (organization_id) WHERE organization_id = $1`,
    [owner.organizationId],
  );

describe('POST admin/referrals/kyc/{org_id}/approve', () => {
  test('200: a user becomes an affiliate; a repeat changes nothing', async () => {
    const owner = await submitted();
    const admin = await api().admin();
    const first = await admin.post(pathOf(owner));
    expect(first.status, first.text).toBe(200);
    expect(first.json()).toMatchObject({
      status: 'SUCCESS',
      organization_id: owner.organizationId,
      partner_status: 'AFFILIATE',
      kyc_status: 'KYC_APPROVED',
      kyc_approved_at: new Date(api().deps.clock.nowMs()).toISOString(),
    });
    api().advanceDays(1);
    const again = await admin.post(pathOf(owner));
    expect(again.status).toBe(200);
    expect(again.json()).toEqual(first.json());
    const [row] = await api().sql(
      `SELECT count(*)::int AS entries FROM audit_log
       WHERE organization_id = $1 AND action = 'kyc_submission.approve'`,
      [owner.organizationId],
    );
    expect(row).toEqual({ entries: 1 });
  });

  test('200: an agency stays an agency', async () => {
    const owner = await submitted();
    const admin = await api().admin();
    await admin.mutate('agencyAppoint', '', { id: organizationNode(owner), input: {} });
    await admin.post(pathOf(owner));
    expect(await standingOf(owner)).toEqual([
      { kyc_status: 'KYC_APPROVED', partner_status: 'AGENCY' },
    ]);
  });

  test('400: an invalid ID', async () => {
    const admin = await api().admin();
    expect((await admin.post('/api/v1/admin/referrals/kyc/x/approve')).status).toBe(400);
  });

  test('401 and 403: without a token, and for owners, also for their own KYC', async () => {
    const owner = await submitted();
    expect((await owner.post(pathOf(owner))).status).toBe(403);
    const nobody = await fetch(`${api().url}${pathOf(owner)}`, { method: 'POST' });
    expect(nobody.status).toBe(401);
    expect(await standingOf(owner)).toEqual([{ kyc_status: 'KYC_PENDING', partner_status: null }]);
  });

  test('404: without a profile, and for an unknown organization', async () => {
    const admin = await api().admin();
    for (const organizationId of [await api().organization(), uuidv7()])
      expect((await admin.post(pathOf({ organizationId }))).status).toBe(404);
  });

  test('409: before a submission, and after a rejection', async () => {
    const admin = await api().admin();
    const owner = await api().owner();
    await createAffiliate(owner.organizationId, api().sql);
    const early = await admin.post(pathOf(owner));
    expect(early.status).toBe(409);
    expect(early.json()).toEqual({ detail: 'The KYC details have not been submitted yet.' });

    await owner.post(SUBMIT, kycBody());
    const input = { ids: [await submissionOf(owner)], reason: 'Blurred.' };
    await admin.mutate('kycReject', '', { input });
    expect((await admin.post(pathOf(owner))).status).toBe(409);
    expect(await standingOf(owner)).toMatchObject([{ kyc_status: 'KYC_REJECTED' }]);
  });
});

describe('the review queue', () => {
  test('shows pending submissions, masked, newest first', async () => {
    const admin = await api().admin();
    const owner = await submitted({
      pan_number: 'ABCPD1234E',
      bank_account_number: '000123456789',
      full_name: 'Asha Rao',
    });
    const { kycSubmissions } = (await admin.graph(
      `query ($organization: ID!) {
         kycSubmissions(first: 10, status: KYC_PENDING, organizationId: $organization) {
           nodes { organizationId organizationName status entityType fullName panName panMasked hasGst
                   bankAccountMasked bankIfsc bankAccountHolderName reviewedAt } } }`,
      { organization: organizationNode(owner) },
    )) as { kycSubmissions: { nodes: unknown[] } };
    expect(kycSubmissions.nodes).toEqual([
      {
        organizationId: organizationNode(owner),
        organizationName: `Organisation ${owner.organizationId}`,
        status: 'KYC_PENDING',
        entityType: 'INDIVIDUAL',
        fullName: 'Asha Rao',
        panName: 'ASHA RAO',
        panMasked: 'AB******4E',
        hasGst: false,
        bankAccountMasked: '********6789',
        bankIfsc: 'HDFC0001234',
        bankAccountHolderName: 'Asha Rao',
        reviewedAt: null,
      },
    ]);
  });

  test('warns of organizations with the same PAN or bank account', async () => {
    const admin = await api().admin();
    const { pan_number, bank_account_number } = kycBody();
    const one = await submitted({ pan_number, bank_account_number });
    const two = await submitted({ bank_account_number });
    const three = await submitted({ pan_number });
    await submitted();
    const alertsOf = async (owner: Caller) => {
      const { kycSubmissions } = (await admin.graph(
        `query ($organization: ID!) { kycSubmissions(first: 1, organizationId: $organization) {
           nodes { alerts { kind organizationId } } } }`,
        { organization: organizationNode(owner) },
      )) as { kycSubmissions: { nodes: { alerts: { kind: string; organizationId: string }[] }[] } };
      return kycSubmissions.nodes[0]!.alerts;
    };
    expect(await alertsOf(one)).toEqual([
      { kind: 'SAME_BANK_ACCOUNT', organizationId: organizationNode(two) },
      { kind: 'SAME_PAN', organizationId: organizationNode(three) },
    ]);
    expect(await alertsOf(two)).toEqual([
      { kind: 'SAME_BANK_ACCOUNT', organizationId: organizationNode(one) },
    ]);
    // After a new submission, the two have nothing in common any more.
    await one.post(SUBMIT, kycBody());
    expect(await alertsOf(two)).toEqual([]);
  });

  test('approves and rejects several at once, all or none', async () => {
    const admin = await api().admin();
    const owners = [await submitted(), await submitted(), await submitted()];
    const ids = await Promise.all(owners.map(submissionOf));
    const unknown = encodeNodeId('KycSubmission', uuidv7());
    const refused = await admin.mutate('kycApprove', 'kycSubmissions { status }', {
      input: { ids: [...ids, unknown] },
    });
    expect(refused).toEqual({
      kycSubmissions: null,
      userErrors: [
        {
          code: 'NOT_FOUND',
          field: ['input', 'ids', '3'],
          message: 'No KYC submission exists with this ID.',
        },
      ],
    });
    for (const owner of owners)
      expect(await standingOf(owner)).toMatchObject([{ kyc_status: 'KYC_PENDING' }]);

    const approved = await admin.mutate('kycApprove', 'kycSubmissions { status }', {
      input: { ids },
    });
    expect(approved.kycSubmissions).toEqual(Array(3).fill({ status: 'KYC_APPROVED' }));
    for (const owner of owners)
      expect(await standingOf(owner)).toEqual([
        { kyc_status: 'KYC_APPROVED', partner_status: 'AFFILIATE' },
      ]);
    const rejected = await admin.mutate('kycReject', 'kycSubmissions { status rejectionReason }', {
      input: { ids, reason: '  A fraud.  ' },
    });
    expect(rejected.kycSubmissions).toEqual(
      Array(3).fill({ status: 'KYC_REJECTED', rejectionReason: 'A fraud.' }),
    );
    for (const owner of owners)
      expect(await standingOf(owner)).toEqual([
        { kyc_status: 'KYC_REJECTED', partner_status: 'AFFILIATE' },
      ]);
  });

  test('accepts 1 to 100 submissions without duplicates, and a reason', async () => {
    const admin = await api().admin();
    const some = (count: number) =>
      Array.from({ length: count }, () => encodeNodeId('KycSubmission', uuidv7()));
    const [one] = some(1);
    for (const ids of [[], some(101), [one, one]]) {
      const { userErrors } = await admin.mutate('kycApprove', '', { input: { ids } });
      expect(userErrors).toMatchObject([{ code: 'BAD_USER_INPUT', field: ['input', 'ids'] }]);
    }
    const { userErrors } = await admin.mutate('kycReject', '', {
      input: { ids: some(1), reason: ' ' },
    });
    expect(userErrors).toMatchObject([{ code: 'BAD_USER_INPUT', field: ['input', 'reason'] }]);
  });

  test('does not approve details submitted after the review was opened', async () => {
    const admin = await api().admin();
    const owner = await submitted();
    const seen = await submissionOf(owner);
    await owner.post(SUBMIT, kycBody());
    const { userErrors } = await admin.mutate('kycApprove', '', { input: { ids: [seen] } });
    expect(userErrors).toMatchObject([{ code: 'KYC_STATUS', field: ['input', 'ids', '0'] }]);
    expect(await standingOf(owner)).toMatchObject([{ kyc_status: 'KYC_PENDING' }]);
  });

  test('concurrent submissions and approvals do not block each other', async () => {
    const admin = await api().admin();
    const owner = await submitted();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? owner.post(SUBMIT, kycBody()) : admin.post(pathOf(owner)),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const rows = await api().sql(
      `SELECT profile.kyc_status = submission.status AS agree FROM affiliate_profiles profile
       JOIN kyc_submissions submission USING (organization_id)
       WHERE organization_id = $1 AND submission.status <> 'SUPERSEDED'`,
      [owner.organizationId],
    );
    expect(rows).toEqual([{ agree: true }]);
  });
});

test('the tax deducted from payouts depends on the verified identity: 10, 2 and 0 %', async () => {
  const admin = await api().admin();
  const { pan_number } = kycBody();
  const cases = [
    [{ pan_number: null, pan_name: null }, 1_000],
    [{}, 200],
    [{ pan_number, gst_number: gstinOf(pan_number) }, 0],
  ] as const;
  for (const [change, bps] of cases) {
    const owner = await submitted(change);
    await admin.post(pathOf(owner));
    const [profile] = await api().sql(
      'SELECT has_pan_verified AS "hasPanVerified", has_gst AS "hasGst" FROM affiliate_profiles WHERE organization_id = $1',
      [owner.organizationId],
    );
    expect(taxRateBps(profile as { hasGst: boolean; hasPanVerified: boolean })).toBe(bps);
  }
});
