// The actions of users of the partner program, over HTTP.

import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { releaseCredits } from '../../../graphql-api/partner/release-credits.job.ts';
import { type Caller, type ClockedApi, organizationNode } from './clocked-api.ts';

export type Status = 'USER' | 'AFFILIATE' | 'AGENCY';

export type ReferrerOptions = {
  readonly status?: Status;
  readonly region?: 'INDIA' | 'GLOBAL';
};

export type Payment = { readonly id: string; readonly outcome: string | null };

export type Program = {
  readonly admin: Caller;
  readonly referrer: (options?: ReferrerOptions) => Promise<Caller>;
  readonly approveKyc: (
    caller: Caller,
    tax?: { hasPan?: boolean; hasGst?: boolean },
  ) => Promise<void>;
  /** A new organization that signed up with the referrer's code. */
  readonly referee: (referrer: Caller) => Promise<Caller>;
  readonly pay: (
    payer: Caller,
    amount: string,
    options?: Readonly<Record<string, unknown>>,
  ) => Promise<Payment>;
  readonly refund: (payment: Payment, amount: string) => Promise<void>;
  readonly chargeback: (payment: Payment, isWon?: boolean, id?: string) => Promise<string>;
  readonly registerInvoice: (
    payer: Caller,
    invoiceId: string,
    total: string,
    channel?: string,
  ) => Promise<void>;
  /** A referrer with this amount of available credits. Advances the clock past the hold. */
  readonly withCredits: (amount: number, options?: ReferrerOptions) => Promise<Caller>;
  /**
   * An affiliate with an approved KYC and this amount of cash, which is not old enough for a payout
   * yet.
   */
  readonly withCash: (amount: number) => Promise<Caller>;
};

export async function programOf(api: ClockedApi): Promise<Program> {
  const admin = await api.admin();
  const say = async (name: string, input: Record<string, unknown>, shown = '__typename') => {
    const payload = await admin.mutate(name, shown, { input });
    expect(payload.userErrors, JSON.stringify(payload)).toEqual([]);
    return payload;
  };
  const program: Program = {
    admin,
    async referrer({ status = 'USER', region = 'INDIA' } = {}) {
      const referrer = await api.owner();
      await api.sql(
        'INSERT INTO partner_profiles (organization_id, partner_status, region) VALUES ($1, $2, $3)',
        [referrer.organizationId, status, region],
      );
      return referrer;
    },
    async approveKyc({ organizationId }, { hasPan = true, hasGst = false } = {}) {
      await api.sql(
        `INSERT INTO affiliate_profiles (organization_id, kyc_status, has_pan_verified, has_gst)
         VALUES ($1, 'KYC_APPROVED', $2, $3)
         ON CONFLICT (organization_id) DO UPDATE SET kyc_status = 'KYC_APPROVED'`,
        [organizationId, hasPan, hasGst],
      );
    },
    async referee(referrer) {
      const referee = await api.owner();
      const { code } = (await referrer.get('/api/v1/billing/referral')).json();
      const answer = await referee.post('/api/v1/referrals/attribution', { code });
      expect(answer.status, answer.text).toBe(200);
      return referee;
    },
    async pay(payer, amount, options = {}) {
      const id = `payment-${uuidv7()}`;
      const input = {
        paymentId: id,
        organizationId: organizationNode(payer),
        amount,
        currency: 'INR',
        ...options,
      };
      const { outcome } = await say('paymentRecord', input, 'outcome');
      return { id, outcome: outcome as string };
    },
    async refund(payment, amount) {
      await say('refundRecord', { refundId: uuidv7(), paymentId: payment.id, amount });
    },
    async chargeback(payment, isWon = false, id = uuidv7()) {
      await say('chargebackRecord', { chargebackId: id, paymentId: payment.id, isWon });
      return id;
    },
    async registerInvoice(payer, invoiceId, total, channel) {
      const organizationId = organizationNode(payer);
      await say('invoiceRegister', { organizationId, invoiceId, total, currency: 'INR', channel });
    },
    async withCredits(amount, options) {
      const referrer = await program.referrer(options);
      await program.pay(await program.referee(referrer), String(amount * 10));
      api.advanceDays(30);
      await api.runJob(releaseCredits);
      return referrer;
    },
    async withCash(amount) {
      const affiliate = await program.referrer({ status: 'AFFILIATE' });
      await program.approveKyc(affiliate);
      await program.pay(await program.referee(affiliate), String(amount * 5));
      return affiliate;
    },
  };
  return program;
}
