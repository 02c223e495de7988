import { describe, expect, test } from 'vitest';
import { issueTaxCertificates } from '../../../graphql-api/partner/issue-certificates.job.ts';
import { createAffiliate, kycBody } from '../harness/partner.ts';
import { useClockedApi } from './clocked-api.ts';
import { PATH, tdsActions } from './tds-certificates.ts';

const api = useClockedApi();

const { payout, certificatesOf, issueAt } = tdsActions(api);

describe('the quarter', () => {
  test('is in Indian time: a payout at its boundary is in the right quarter', async () => {
    const owner = await api().owner();
    await payout(owner, { paidAt: '2026-03-31T18:29:59.999Z', gross: 1_000 });
    await payout(owner, { paidAt: '2026-03-31T18:30:00.000Z', gross: 2_000 });
    await payout(owner, { paidAt: '2026-06-30T18:29:59.999Z', gross: 4_000 });
    await payout(owner, { paidAt: '2026-06-30T18:30:00.000Z', gross: 8_000 });
    await issueAt('2026-07-01T01:30:00Z');
    expect(await certificatesOf(owner)).toMatchObject([
      {
        form: 'Form 131',
        financial_year: '2026-27',
        quarter: 1,
        period_start: '2026-04-01',
        period_end: '2026-06-30',
        gross_amount: 6_000,
        tax_amount: 40,
        net_amount: 5_960,
      },
      { form: 'Form 16A', financial_year: '2025-26', quarter: 4, gross_amount: 1_000 },
    ]);
  });

  test('is certified once after its end, regardless of repeats and concurrency', async () => {
    const owner = await api().owner();
    await payout(owner, { paidAt: '2026-08-10T09:00:00Z' });
    await issueAt('2026-09-30T18:29:59.999Z');
    expect(await certificatesOf(owner)).toEqual([]);
    api().setClock('2026-09-30T18:30:00Z');
    await Promise.all(Array.from({ length: 4 }, () => api().runJob(issueTaxCertificates)));
    const first = await certificatesOf(owner);
    expect(first).toHaveLength(1);
    await issueAt('2026-10-05T01:30:00Z');
    expect(await certificatesOf(owner)).toEqual(first);
    const entries = await api().sql(
      'SELECT action, actor_id FROM audit_log WHERE organization_id = $1',
      [owner.organizationId],
    );
    expect(entries).toEqual([{ action: 'tax_certificate.issue', actor_id: 'system' }]);
  });

  test('that was missed is certified in the next run', async () => {
    const owner = await api().owner();
    await payout(owner, { paidAt: '2027-01-10T09:00:00Z' });
    await payout(owner, { paidAt: '2027-05-10T09:00:00Z' });
    await issueAt('2027-07-01T01:30:00Z');
    const found = await certificatesOf(owner);
    expect(found.map(({ financial_year, quarter }) => [financial_year, quarter])).toEqual(
      expect.arrayContaining([
        ['2027-28', 1],
        ['2026-27', 4],
      ]),
    );
  });

  test('counts only paid payouts with tax', async () => {
    const [owner, without] = [await api().owner(), await api().owner()];
    const paidAt = '2027-08-10T09:00:00Z';
    await payout(owner, { paidAt, gross: 1_000, tax: 20 });
    await payout(owner, { paidAt, gross: 5_000, tax: 0 });
    await payout(owner, { paidAt, gross: 7_000, tax: 140, status: 'REVERSED' });
    await payout(owner, { paidAt, gross: 9_000, tax: 180, status: 'PROCESSING' });
    await payout(without, { paidAt, gross: 5_000, tax: 0 });
    await issueAt('2027-10-01T01:30:00Z');
    expect(await certificatesOf(owner)).toMatchObject([{ gross_amount: 1_000, tax_amount: 20 }]);
    expect(await certificatesOf(without)).toEqual([]);
  });
});

describe('GET tds-certificates', () => {
  test('200: shows the KYC identity, masked, equal to GraphQL', async () => {
    api().setClock('2028-04-02T00:00:00Z');
    const owner = await api().owner();
    await createAffiliate(owner.organizationId, api().sql);
    const body = { ...kycBody(), pan_name: 'ASHA R RAO', pan_number: 'ABCPD1234E' };
    await owner.post('/api/v1/affiliates/kyc/submit', body);
    await payout(owner, { paidAt: '2028-04-10T09:00:00Z', gross: 1_204.5, tax: 24.09 });
    await issueAt('2028-07-01T01:30:00Z');
    const [item] = await certificatesOf(owner);
    expect(item).toEqual({
      id: expect.any(String),
      form: 'Form 131',
      financial_year: '2028-29',
      quarter: 1,
      period_start: '2028-04-01',
      period_end: '2028-06-30',
      deductee_name: 'ASHA R RAO',
      pan_masked: 'AB******4E',
      currency: 'INR',
      gross_amount: 1204.5,
      tax_amount: 24.09,
      net_amount: 1180.41,
      download_path: `${PATH}/${String(item!.id)}/download`,
      issued_at: '2028-07-01T01:30:00.000Z',
    });
    const { taxCertificates } = (await owner.graph(
      `{ taxCertificates(first: 5) { nodes {
           form financialYear quarter periodStart periodEnd deducteeName panMasked downloadPath issuedAt
           gross { amount currencyCode } tax { amount } net { amount }
           lines { paidOn taxRateBps gross { amount } tax { amount } } } } }`,
    )) as { taxCertificates: { nodes: unknown[] } };
    expect(taxCertificates.nodes).toEqual([
      {
        form: item!.form,
        financialYear: item!.financial_year,
        quarter: item!.quarter,
        periodStart: item!.period_start,
        periodEnd: item!.period_end,
        deducteeName: item!.deductee_name,
        panMasked: item!.pan_masked,
        downloadPath: item!.download_path,
        issuedAt: item!.issued_at,
        gross: { amount: '1204.50', currencyCode: 'INR' },
        tax: { amount: '24.09' },
        net: { amount: '1180.41' },
        lines: [
          {
            paidOn: '2028-04-10',
            taxRateBps: 200,
            gross: { amount: '1204.50' },
            tax: { amount: '24.09' },
          },
        ],
      },
    ]);
  });

  test('200: an issued certificate does not change with the KYC or the form', async () => {
    const owner = await api().owner();
    await payout(owner, { paidAt: '2028-08-10T09:00:00Z' });
    await issueAt('2028-10-01T01:30:00Z');
    const before = await certificatesOf(owner);
    const change = api().sql(`UPDATE tax_certificates SET form = 'x'`);
    await expect(change).rejects.toThrow('append-only');
    await createAffiliate(owner.organizationId, api().sql);
    await owner.post('/api/v1/affiliates/kyc/submit', kycBody());
    expect(await certificatesOf(owner)).toEqual(before);
  });
});

test('a statement names the person approved when the payouts were paid, not a later submission', async () => {
  api().setClock('2030-10-02T00:00:00Z');
  const [owner, admin] = [await api().owner(), await api().admin()];
  await createAffiliate(owner.organizationId, api().sql);
  const submit = async (body: Record<string, unknown>) => {
    const answer = await owner.post('/api/v1/affiliates/kyc/submit', body);
    expect(answer.status, answer.text).toBe(200);
  };
  const approve = async () => {
    const path = `/api/v1/admin/referrals/kyc/${owner.organizationId}/approve`;
    expect((await admin.post(path)).status).toBe(200);
  };
  await submit({ ...kycBody(), pan_name: 'ASHA RAO', pan_number: 'ABCPR1234E' });
  await approve();
  await payout(owner, { paidAt: '2030-10-10T09:00:00Z' });
  api().setClock('2030-11-02T00:00:00Z');
  await submit({ ...kycBody(), pan_name: 'SOMEBODY ELSE', pan_number: 'ZZZPE9999Z' });
  await issueAt('2031-01-01T01:30:00Z');
  const whose = { deductee_name: 'ASHA RAO', pan_masked: 'AB******4E' };
  expect(await certificatesOf(owner)).toMatchObject([whose]);
  // A later approval applies only to payouts after it.
  await approve();
  await payout(owner, { paidAt: '2031-01-10T09:00:00Z' });
  await issueAt('2031-04-01T01:30:00Z');
  expect(await certificatesOf(owner)).toMatchObject([
    { deductee_name: 'SOMEBODY ELSE', pan_masked: 'ZZ******9Z' },
    whose,
  ]);
});
