// The activity of the demo's referrals. All steps are idempotent: existing data is unchanged.

import { recordPayment } from '../graphql-api/partner/payment.record.ts';
import { attributeReferral } from '../graphql-api/partner/referral.attribute.ts';
import { ensureReferralCode } from '../graphql-api/partner/referral.ensure-code.ts';
import { recordChargeback, recordRefund } from '../graphql-api/partner/reversal.record.ts';
import type { DemoStory } from './demo-story.ts';

export const DEMO_CURRENCY = 'INR';

type Amount = { readonly daysAgo: number; readonly rupees: number };

export function paise(rupees: number): bigint {
  return BigInt(rupees) * 100n;
}

export type DemoReferral = { readonly name: string; readonly daysAgo: number };

/** Another organization signs up with this organization's code. */
export async function refer(
  story: DemoStory,
  organizationId: string,
  { name, daysAgo }: DemoReferral,
): Promise<string> {
  story.goTo(daysAgo);
  const referrer = story.contextOf(organizationId, 'owner');
  const code = await ensureReferralCode(referrer);
  await referrer.finish();
  const referee = await story.organization(`Demo referral: ${name}`);
  await story.asOwner(referee, daysAgo, attributeReferral, { code });
  return referee;
}

export async function pay(
  { deps, goTo }: DemoStory,
  payment: Amount & { readonly paymentId: string; readonly organizationId: string },
): Promise<void> {
  const { paymentId: id, organizationId, daysAgo, rupees } = payment;
  const clearedAt = goTo(daysAgo);
  const amount = { amountMinor: paise(rupees), currency: DEMO_CURRENCY };
  await deps.database.asSystem(em =>
    recordPayment({ em, deps }, { id, organizationId, clearedAt, ...amount }),
  );
}

export async function refund(
  { deps, goTo }: DemoStory,
  { paymentId, daysAgo, rupees }: Amount & { readonly paymentId: string },
): Promise<void> {
  goTo(daysAgo);
  const id = `refund-of-${paymentId}`;
  await deps.database.asSystem(em =>
    recordRefund({ em, deps }, { id, paymentId, amountMinor: paise(rupees) }),
  );
}

export async function dispute(
  { deps, goTo }: DemoStory,
  { paymentId, daysAgo }: { readonly paymentId: string; readonly daysAgo: number },
): Promise<void> {
  goTo(daysAgo);
  const id = `dispute-of-${paymentId}`;
  await deps.database.asSystem(em => recordChargeback({ em, deps }, { id, paymentId }));
}
