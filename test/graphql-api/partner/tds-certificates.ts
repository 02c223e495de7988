import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { issueTaxCertificates } from '../../../graphql-api/partner/issue-certificates.job.ts';
import type { Caller, ClockedApi } from './clocked-api.ts';

export function tdsActions(api: () => ClockedApi) {
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
  return { payout, certificatesOf, issueAt };
}

/** The clock advances by years, so tokens must stay valid that long. */
export const TOKEN_SECONDS = 20 * 365 * 24 * 60 * 60;

export const PATH = '/api/v1/affiliates/tds-certificates';

type PayoutOptions = {
  readonly paidAt: string;
  readonly gross?: number;
  readonly tax?: number;
  readonly status?: 'PAID' | 'REVERSED' | 'PROCESSING';
};

export type Item = Record<string, unknown>;
