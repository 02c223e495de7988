import { inflateSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { issueTaxCertificates } from '../../../graphql-api/partner/issue-certificates.job.ts';
import { createAffiliate, kycBody } from '../harness/partner.ts';
import { tokenFor } from '../harness/tokens.ts';
import { type Caller, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
/** The clock advances by years, so tokens must stay valid that long. */
const TOKEN_SECONDS = 20 * 365 * 24 * 60 * 60;
const PATH = '/api/v1/affiliates/tds-certificates';

type PayoutOptions = {
  readonly paidAt: string;
  readonly gross?: number;
  readonly tax?: number;
  readonly status?: 'PAID' | 'REVERSED' | 'PROCESSING';
};

/** Creates a payout of `gross` rupees. */
async function payout(
  { organizationId }: Caller,
  { paidAt, gross = 1_000, tax = 20, status = 'PAID' }: PayoutOptions,
): Promise<void> {
  await api().sql(
    `INSERT INTO wallets (id, organization_id, region, currency, last_activity_at)
     VALUES ($1, $2, 'INDIA', 'INR', now()) ON CONFLICT DO NOTHING`,
    [uuidv7(), organizationId],
  );
  const [isPaid, isReversed] = [status !== 'PROCESSING', status === 'REVERSED'];
  await api().sql(
    `INSERT INTO payouts (id, organization_id, wallet_id, gross_minor, tax_rate_bps, tax_minor,
       net_minor, currency, status, bank_reference, reason, paid_at, closed_at, created_at)
     SELECT $1, $2, id, $3, 200, $4, $5, 'INR', $6, $7, $8, $9, $10, $11
     FROM wallets WHERE organization_id = $2`,
    [
      uuidv7(),
      organizationId,
      Math.round(gross * 100),
      Math.round(tax * 100),
      Math.round(gross * 100) - Math.round(tax * 100),
      status,
      isPaid ? `UTR-${uuidv7()}` : null,
      isReversed ? 'Account closed.' : null,
      isPaid ? paidAt : null,
      isReversed ? paidAt : null,
      paidAt,
    ],
  );
}

type Item = Record<string, unknown>;

async function certificatesOf(owner: Caller): Promise<Item[]> {
  const answer = await owner.get(PATH);
  expect(answer.status, answer.text).toBe(200);
  return answer.json().items as Item[];
}

/**
 * Runs the job at this time, which is later than any other test, so all certificates are from this
 * one.
 */
async function issueAt(iso: string): Promise<void> {
  api().setClock(iso);
  await api().runJob(issueTaxCertificates);
}

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

describe('GET tds-certificates/{id}/download', () => {
  test('200: a readable PDF with the same bytes each time', async () => {
    const owner = await api().owner();
    // More payouts than fit on a page.
    for (let day = 1; day <= 28; day++)
      for (const hour of ['05', '15'])
        await payout(owner, {
          paidAt: `2029-02-${String(day).padStart(2, '0')}T${hour}:00:00Z`,
          gross: 10_000 + day,
          tax: 200,
        });
    await issueAt('2029-04-01T01:30:00Z');
    const [item] = await certificatesOf(owner);
    const answer = await download(owner, String(item!.download_path));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="tax-2028-29-q4.pdf"',
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const lines = textOf(bytes);
    for (const expected of [
      'Statement of tax deducted at source',
      'For Form 131 - financial year 2028-29, quarter 4',
      '2029-01-01 to 2029-03-31',
      String(item!.id),
      '2029-02-28',
      '10028.00',
      '200.00',
      '2 %',
      'Total',
      '560812.00',
      '11200.00',
    ])
      expect(lines).toContain(expected);
    expect(lines.filter(line => line === 'Bank reference')).toHaveLength(2);
    api().advanceDays(100);
    const again = await download(owner, String(item!.download_path));
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('404: of another organization, or unknown', async () => {
    const [owner, other] = [await api().owner(), await api().owner()];
    await payout(owner, { paidAt: '2029-04-10T09:00:00Z' });
    await issueAt('2029-07-01T01:30:00Z');
    const [item] = await certificatesOf(owner);
    expect((await other.get(String(item!.download_path))).status).toBe(404);
    expect((await owner.get(`${PATH}/${uuidv7()}/download`)).status).toBe(404);
    expect((await owner.get(`${PATH}/x/download`)).status).toBe(400);
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

/** For binary responses. */
async function download({ organizationId }: Caller, path: string): Promise<Response> {
  const token = await tokenFor(organizationId, { ttlSeconds: TOKEN_SECONDS });
  return fetch(`${api().url}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

/** The strings on the pages in order, extracted by an independent parser. */
function textOf(pdf: Buffer): string[] {
  const lines: string[] = [];
  for (const { index } of pdf.toString('latin1').matchAll(/stream\r?\n/g)) {
    const start = index + /stream\r?\n/.exec(pdf.toString('latin1', index))![0].length;
    if (pdf.toString('latin1', index - 3, index) === 'end') continue;
    let page: string;
    try {
      page = inflateSync(pdf.subarray(start)).toString('latin1');
    } catch {
      continue;
    }
    for (const [, shown] of page.matchAll(/\[((?:<[0-9a-f]*>|[\s\d.-])*)\] TJ/g)) {
      const parts = [...shown!.matchAll(/<([0-9a-f]*)>/g)].map(match => match[1]!);
      lines.push(Buffer.from(parts.join(''), 'hex').toString('latin1'));
    }
  }
  return lines;
}
