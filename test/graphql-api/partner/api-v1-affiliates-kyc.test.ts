import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createAffiliate, gstinOf, kycBody, kycInput, randomPan } from '../harness/partner.ts';
import { type Caller, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const SUBMIT = '/api/v1/affiliates/kyc/submit';
const PROFILE = '/api/v1/affiliates/kyc/profile';

async function affiliate(): Promise<Caller> {
  const owner = await api().owner();
  await createAffiliate(owner.organizationId, api().sql);
  return owner;
}

async function reviewed(owner: Caller, reason?: string): Promise<void> {
  const admin = await api().admin();
  const [row] = await api().sql(
    `SELECT id FROM kyc_submissions WHERE organization_id = $1 AND status <> 'SUPERSEDED'`,
    [owner.organizationId],
  );
  const ids = [encodeNodeId('KycSubmission', String(row!.id))];
  const name = reason === undefined ? 'kycApprove' : 'kycReject';
  const input = { ids, ...(reason !== undefined && { reason }) };
  const { userErrors } = await admin.mutate(name, '', { input });
  expect(userErrors).toEqual([]);
}

const flagsOf = (owner: Caller) =>
  api().sql(
    'SELECT kyc_status, has_pan_verified, has_gst FROM affiliate_profiles WHERE organization_id = $1',
    [owner.organizationId],
  );

describe('POST kyc/submit', () => {
  test('200: pending, with masked secrets', async () => {
    const owner = await affiliate();
    const body = { ...kycBody(), pan_number: 'ABCPD1234E', bank_account_number: '000123456789' };
    const gst_number = gstinOf('ABCPD1234E');
    const answer = await owner.post(SUBMIT, { ...body, gst_number });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toEqual({
      status: 'SUCCESS',
      partner_status: 'USER',
      kyc_status: 'KYC_PENDING',
      pan_masked: 'AB******4E',
      gst_number,
      bank_account_masked: '********6789',
      bank_ifsc: 'HDFC0001234',
      kyc_submitted_at: new Date(api().deps.clock.nowMs()).toISOString(),
      kyc_approved_at: null,
      rejection_reason: null,
    });
  });

  test('200: codes with spaces and lower-case letters are accepted', async () => {
    const owner = await affiliate();
    const body = { ...kycBody(), pan_number: 'abcpd 1234 e', bank_ifsc: 'hdfc 0001234' };
    const answer = await owner.post(SUBMIT, { ...body, bank_account_number: '0001 2345 6789' });
    expect(answer.json()).toMatchObject({
      pan_masked: 'AB******4E',
      bank_account_masked: '********6789',
      bank_ifsc: 'HDFC0001234',
    });
  });

  test('200: without PAN and GSTIN, null or omitted', async () => {
    const owner = await affiliate();
    const { pan_number: _, pan_name: __, ...body } = kycBody();
    const nothing = { pan_number: null, pan_name: null, gst_number: null };
    for (const sent of [body, { ...body, ...nothing }]) {
      const answer = await owner.post(SUBMIT, sent);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json()).toMatchObject({ pan_masked: null, gst_number: null });
    }
    await reviewed(owner);
    expect(await flagsOf(owner)).toEqual([
      { kyc_status: 'KYC_APPROVED', has_pan_verified: false, has_gst: false },
    ]);
  });

  test('200: with only a GSTIN', async () => {
    const owner = await affiliate();
    const { pan_number, pan_name: _, ...body } = kycBody();
    const answer = await owner.post(SUBMIT, { ...body, gst_number: gstinOf(pan_number) });
    expect(answer.status, answer.text).toBe(200);
    await reviewed(owner);
    expect(await flagsOf(owner)).toEqual([
      { kyc_status: 'KYC_APPROVED', has_pan_verified: false, has_gst: true },
    ]);
  });

  test('200: after an approval, the KYC is pending again and nothing is verified', async () => {
    const owner = await affiliate();
    await owner.post(SUBMIT, kycBody());
    await reviewed(owner);
    expect(await flagsOf(owner)).toEqual([
      { kyc_status: 'KYC_APPROVED', has_pan_verified: true, has_gst: false },
    ]);
    const again = await owner.post(SUBMIT, kycBody());
    expect(again.json()).toMatchObject({
      partner_status: 'AFFILIATE',
      kyc_status: 'KYC_PENDING',
      kyc_approved_at: null,
    });
    expect(await flagsOf(owner)).toEqual([
      { kyc_status: 'KYC_PENDING', has_pan_verified: false, has_gst: false },
    ]);
    const payout = await owner.post('/api/v1/affiliates/payouts/request', {
      requested_amount: 1000,
    });
    expect(payout.json()).toEqual({ detail: 'KYC_NOT_APPROVED' });
  });

  test('200: after a rejection, the reason is cleared', async () => {
    const owner = await affiliate();
    await owner.post(SUBMIT, kycBody());
    await reviewed(owner, 'The name differs from the bank’s.');
    expect((await owner.get(PROFILE)).json()).toMatchObject({
      kyc_status: 'KYC_REJECTED',
      rejection_reason: 'The name differs from the bank’s.',
    });
    const again = await owner.post(SUBMIT, kycBody());
    expect(again.json()).toMatchObject({ kyc_status: 'KYC_PENDING', rejection_reason: null });
  });

  test('200: of concurrent submissions, the last one applies and only its secrets are kept', async () => {
    const owner = await affiliate();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.post(SUBMIT, kycBody())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await api().sql(
      `SELECT status, count(*)::int AS count, count(secret.field)::int AS secrets
       FROM kyc_submissions LEFT JOIN kyc_secrets secret ON submission_id = id
       WHERE kyc_submissions.organization_id = $1 GROUP BY 1 ORDER BY 1`,
      [owner.organizationId],
    );
    expect(rows).toEqual([
      { status: 'KYC_PENDING', count: 2, secrets: 2 },
      { status: 'SUPERSEDED', count: 7, secrets: 0 },
    ]);
  });

  test('400: all errors together, without the input', async () => {
    const owner = await affiliate();
    const sent = {
      full_name: '',
      pan_number: 'ABCCD1234E',
      gst_number: gstinOf(randomPan('P')),
      bank_account_number: '12345678',
      bank_ifsc: 'HDFC1234567',
      bank_account_holder_name: '  ',
      entity_type: 'INDIVIDUAL',
    };
    const answer = await owner.post(SUBMIT, sent);
    expect(answer.status).toBe(400);
    const { detail, ...others } = answer.json();
    expect(others).toEqual({});
    for (const fault of [
      'full_name: is missing or empty.',
      'pan_name: is missing.',
      'pan_number: does not match the entity type.',
      'gst_number: contains a different PAN.',
      'bank_account_number: must have 9 to 18 digits.',
      'bank_ifsc: must be an IFSC, such as HDFC0001234.',
      'bank_account_holder_name: is missing or empty.',
    ])
      expect(detail).toContain(fault);
    for (const secret of [sent.pan_number, sent.gst_number, sent.bank_account_number])
      expect(detail).not.toContain(secret);
    const { userErrors } = await owner.mutate('kycSubmit', '', { input: kycInput(sent) });
    expect(userErrors).toHaveLength(7);
  });

  test.for([
    [{ pan_number: 'AAAXA1234A' }, 'pan_number'],
    [{ pan_number: 7 }, 'pan_number'],
    [{ pan_name: null }, 'pan_name'],
    [{ pan_name: 'आशा' }, 'pan_name'],
    [{ pan_number: null }, 'pan_number'],
    [{ gst_number: '27AAPFU0939F1ZW' }, 'gst_number'],
    [{ bank_account_number: '1234567890123456789' }, 'bank_account_number'],
    [{ bank_account_number: 123456789 }, 'bank_account_number'],
    [{ full_name: 'x'.repeat(121) }, 'full_name'],
    [{ full_name: 'a\u0000b' }, 'full_name'],
    [{ entity_type: 'PERSON' }, 'entity_type'],
    [{ entity_type: 'PRIVATE_LIMITED' }, 'pan_number'],
    [{ pan: 'x' }, 'pan'],
  ] as const)('400: %o names %s', async ([change, field]) => {
    const owner = await affiliate();
    const answer = await owner.post(SUBMIT, { ...kycBody(), ...change });
    expect(answer.status).toBe(400);
    expect(answer.json().detail).toContain(field);
    expect(await flagsOf(owner)).toMatchObject([{ kyc_status: 'KYC_PENDING' }]);
  });

  test.for([
    'full_name',
    'bank_account_number',
    'bank_ifsc',
    'bank_account_holder_name',
    'entity_type',
  ])('400: %s is required', async field => {
    const owner = await affiliate();
    const answer = await owner.post(SUBMIT, { ...kycBody(), [field]: undefined });
    expect(answer.status).toBe(400);
    expect(answer.json().detail).toContain(`${field}: `);
  });

  test('403: members cannot submit', async () => {
    const owner = await affiliate();
    const member = await api().caller(owner.organizationId, 'member');
    expect((await member.post(SUBMIT, kycBody())).status).toBe(403);
  });

  test('409 AFFILIATE_PROFILE_REQUIRED: before the upgrade', async () => {
    const owner = await api().owner();
    const answer = await owner.post(SUBMIT, kycBody());
    expect(answer.status).toBe(409);
    expect(answer.json()).toEqual({ detail: 'AFFILIATE_PROFILE_REQUIRED' });
  });
});

describe('GET kyc/profile', () => {
  test('200: exactly the contract’s fields, also for members, equal to GraphQL', async () => {
    const owner = await affiliate();
    const body = kycBody();
    await owner.post(SUBMIT, { ...body, gst_number: gstinOf(body.pan_number) });
    api().advanceDays(1);
    await reviewed(owner);
    const member = await api().caller(owner.organizationId, 'member');
    const answer = await member.get(PROFILE);
    expect(answer.status).toBe(200);
    const profile = answer.json();
    expect(Object.keys(profile).sort()).toEqual([
      'bank_account_masked',
      'bank_ifsc',
      'gst_number',
      'kyc_approved_at',
      'kyc_status',
      'kyc_submitted_at',
      'pan_masked',
      'rejection_reason',
    ]);
    const { affiliateProfile } = await member.graph(
      `{ affiliateProfile { kycStatus panMasked gstNumber bankAccountMasked bankIfsc
                            kycSubmittedAt kycApprovedAt rejectionReason } }`,
    );
    expect(kycInput(profile)).toEqual(affiliateProfile);
    expect(profile).toMatchObject({
      kyc_status: 'KYC_APPROVED',
      kyc_approved_at: new Date(api().deps.clock.nowMs()).toISOString(),
    });
  });

  test('409 AFFILIATE_PROFILE_REQUIRED: before the upgrade; null over GraphQL', async () => {
    const owner = await api().owner();
    const answer = await owner.get(PROFILE);
    expect(answer.status).toBe(409);
    expect(answer.json()).toEqual({ detail: 'AFFILIATE_PROFILE_REQUIRED' });
    expect(await owner.graph('{ affiliateProfile { kycStatus } }')).toEqual({
      affiliateProfile: null,
    });
  });
});
